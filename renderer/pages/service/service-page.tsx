import './service.css';
import { useState } from 'react';
import { NoChainPage } from '../../components/empty-page.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ChainTabs } from '../../components/segmented.tsx';
import { useDesk } from '../../state/console.tsx';
import { EndpointsPanel } from './endpoints-panel.tsx';
import { OrderPanel } from './order-panel.tsx';
import { RestrictionsPanel } from './restrictions-panel.tsx';
import { SelfCheckPanel } from './self-check-panel.tsx';
import { SourcesPanel } from './sources-panel.tsx';

/** The service as we see it: what it asks, what it has of us, where it probably stays away, and whether it could like us. */
export function ServicePage() {
  const first = useDesk((view) => view.chains[0]?.chainId);
  const [chosen, choose] = useState<number | undefined>(undefined);
  const chainId = chosen ?? first;
  if (chainId === undefined) {
    return <NoChainPage name="Service">The service polls each chain under an address of its own.</NoChainPage>;
  }
  return (
    <>
      <PageHead name="Service">
        <ChainTabs chainId={chainId} onChange={choose} />
      </PageHead>
      <div className="page-body service-page">
        <EndpointsPanel chainId={chainId} />
        <SelfCheckPanel chainId={chainId} />
        <RestrictionsPanel />
        <OrderPanel key={chainId} chainId={chainId} />
        <SourcesPanel chainId={chainId} />
      </div>
    </>
  );
}
