import { useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import { NoChainPage } from '../../components/empty.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { ChainTabs } from '../../components/segmented.tsx';
import { useDesk } from '../../state/console.tsx';
import { nameIn, pagePath } from '../../state/pages.ts';
import { useListings } from '../../state/tokens.ts';
import styles from './listings-page.module.css';
import { PairsPanel } from './pairs-panel.tsx';
import { TokensPanel } from './tokens-panel.tsx';

/** What the desk tells the service it trades: the tokens and pairs of one chain. */
export function ListingsPage() {
  const chains = useDesk((view) => view.chains);
  const [chosen, setChosen] = useState<number | null>(null);
  const [, route] = useRoute(`${pagePath('listings')}/:chainId/:tokenId`);
  const [, navigate] = useLocation();
  const asked = route === null ? null : { chainId: Number(route.chainId), tokenId: nameIn(route.tokenId) };
  const chainId = asked?.chainId ?? chosen ?? chains[0]?.chainId;
  const leave = () => {
    if (asked === null) return;
    setChosen(asked.chainId);
    navigate(pagePath('listings'), { replace: true });
  };
  const listed = useListings(chainId);
  if (chainId === undefined) {
    return (
      <NoChainPage name="Tokens & pairs">
        Tokens and pairs belong to a chain: its contract, its node, its counterparty.
      </NoChainPage>
    );
  }
  return (
    <>
      <PageHead name="Tokens & pairs">
        <span className="quiet">what we tell the service we trade</span>
        <ChainTabs
          chainId={chainId}
          onChange={(id) => {
            leave();
            setChosen(id);
          }}
        />
      </PageHead>
      <PageBody className={styles.page} key={chainId}>
        <TokensPanel chainId={chainId} listed={listed} asked={asked?.tokenId ?? null} onLeave={leave} />
        <PairsPanel chainId={chainId} listed={listed} />
      </PageBody>
    </>
  );
}
