import './blacklist.css';
import { useState } from 'react';
import { Empty } from '../../components/empty.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useDesk } from '../../state/console.tsx';
import { BlacklistForm } from './blacklist-form.tsx';
import { BlacklistHistory } from './blacklist-history.tsx';
import { BlacklistPanel } from './blacklist-panel.tsx';

/** Users that are not to be routed to us: who, why, until when, and who put them there. */
export function BlacklistPage() {
  const chains = useDesk((view) => view.chains);
  const [chosen, setChosen] = useState<number | null>(null);
  const chainId = chosen ?? chains[0]?.chainId;
  return (
    <>
      <PageHead name="Blacklist">
        <span className="quiet">users who get no order from us, and whom the service is asked not to route here</span>
        {chains.length > 1 && (
          <span className="choice">
            {chains.map((chain) => (
              <button
                key={chain.chainId}
                type="button"
                className="button"
                aria-pressed={chain.chainId === chainId}
                onClick={() => setChosen(chain.chainId)}
              >
                {chain.name}
              </button>
            ))}
          </span>
        )}
      </PageHead>
      {chainId === undefined ? (
        <Empty title="No chain yet">Bring a desk file first: makerdesk import FILE.</Empty>
      ) : (
        <div className="page-body blacklist-page" key={chainId}>
          <BlacklistPanel chainId={chainId} />
          <BlacklistForm chainId={chainId} chains={chains.length} />
          <BlacklistHistory chainId={chainId} />
        </div>
      )}
    </>
  );
}
