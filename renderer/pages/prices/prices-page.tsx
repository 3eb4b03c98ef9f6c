import './prices.css';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { Empty } from '../../components/empty.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useDesk } from '../../state/console.tsx';
import { ladderPath } from '../../state/pages.ts';
import { LadderEditor } from './ladder-editor.tsx';
import { PairTabs } from './pair-tabs.tsx';

/** The ladders of all pairs, one at a time: the shared draft beside what is live. */
export function PricesPage({ params }: { params: { chainId?: string; pair?: string } }) {
  const listed = useDesk((view) => view.listed);
  const [, navigate] = useLocation();
  const first = listed[0];
  const wanted =
    params.pair === undefined ? first : { chainId: Number(params.chainId), pair: decodeURIComponent(params.pair) };
  const row = useDesk((view) =>
    view.pairs.find((pair) => pair.chainId === wanted?.chainId && pair.pair === wanted.pair),
  );
  const to = params.pair === undefined && first !== undefined ? ladderPath(first.chainId, first.pair) : null;
  useEffect(() => {
    if (to !== null) navigate(to, { replace: true });
  }, [to, navigate]);
  if (first === undefined) {
    return (
      <>
        <PageHead name="Prices" />
        <Empty title="No pair yet">Add two tokens and a pair of them on Tokens &amp; pairs (G T).</Empty>
      </>
    );
  }
  return (
    <>
      <PairTabs chosen={row} />
      {row === undefined ? (
        <Empty title="This pair is not listed any more">Choose another above.</Empty>
      ) : (
        <LadderEditor key={`${row.chainId}:${row.pair}`} row={row} />
      )}
    </>
  );
}
