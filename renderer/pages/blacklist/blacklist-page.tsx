import { ChainTabs } from '../../components/segmented.tsx';
import './blacklist.css';
import { useMemo, useState } from 'react';
import { NoChainPage } from '../../components/empty-page.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useDesk } from '../../state/console.tsx';
import { BlacklistForm } from './blacklist-form.tsx';
import { BlacklistHistory } from './blacklist-history.tsx';
import { BlacklistPanel, useBlacklist } from './blacklist-panel.tsx';
import { ToxicityBoard } from './toxicity-board.tsx';

/** Users that are not to be routed to us: who, why, until when, and who put them there. */
export function BlacklistPage() {
  const chains = useDesk((view) => view.chains);
  const [chosen, setChosen] = useState<number | null>(null);
  const chainId = chosen ?? chains[0]?.chainId;
  if (chainId === undefined) {
    return <NoChainPage name="Blacklist">Each chain has a list of its own of users who get no order.</NoChainPage>;
  }
  return (
    <>
      <PageHead name="Blacklist">
        <span className="quiet">
          users who get no order from us; the service is asked not to route here those on the public list
        </span>
        <ChainTabs chainId={chainId} onChange={setChosen} />
      </PageHead>
      <ChainBlacklist key={chainId} chainId={chainId} chains={chains.length} />
    </>
  );
}

function ChainBlacklist({ chainId, chains }: { chainId: number; chains: number }) {
  const list = useBlacklist(chainId).data;
  const listed = useMemo(() => new Set<string>(list?.map(({ address }) => address)), [list]);
  return (
    <div className="page-body blacklist-page">
      <div className="column">
        <ToxicityBoard listed={listed} />
        <BlacklistHistory chainId={chainId} />
      </div>
      <div className="column">
        <BlacklistPanel chainId={chainId} />
        <BlacklistForm chainId={chainId} chains={chains} />
      </div>
    </div>
  );
}
