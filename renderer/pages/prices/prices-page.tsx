import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Empty, EmptyPage } from '../../components/empty.tsx';
import { useDesk } from '../../state/console.tsx';
import { pairKey } from '../../state/live-desk.ts';
import { ladderPath, nameIn } from '../../state/pages.ts';
import { useSettled } from '../../state/use-settled.ts';
import { PairPricing } from '../pricing/pair-pricing.tsx';
import { LadderEditor } from './ladder-editor.tsx';
import type { ToolSettings } from './ladder-tools.tsx';
import { PairTabs } from './pair-tabs.tsx';

/** All pairs, one at a time: its ladder, the shared draft beside what is live, or what its prices are made of. */
export function PricesPage({ params }: { params: { chainId?: string; pair?: string; view?: string } }) {
  const listed = useDesk((view) => view.listed);
  const [, navigate] = useLocation();
  const first = listed[0];
  const view = params.view === 'pricing' ? 'pricing' : 'ladder';
  const wanted = params.pair === undefined ? first : { chainId: Number(params.chainId), pair: nameIn(params.pair) };
  // What the pair is, not its figures: those change all the time.
  const row = listed.find((pair) => pair.chainId === wanted?.chainId && pair.pair === wanted.pair);
  const [settings, setSettings] = useState<ToolSettings>({ applyTo: 'selection', unit: 'bps' });
  const to = params.pair === undefined && first !== undefined ? ladderPath(first.chainId, first.pair) : null;
  const settled = useSettled();
  useEffect(() => {
    // The browser takes its time to write an address: the ladder is drawn before that.
    if (to !== null && settled) navigate(to, { replace: true });
  }, [to, settled, navigate]);
  if (first === undefined) {
    return (
      <EmptyPage name="Prices" title="No pair yet" go={{ to: '/tokens-and-pairs', text: 'Tokens & pairs' }}>
        A pair needs two tokens and its listing; then it has a ladder here.
      </EmptyPage>
    );
  }
  return (
    <>
      <PairTabs chosen={row} view={view} />
      {row === undefined ? (
        <Empty title="This pair is not listed any more">Choose another above.</Empty>
      ) : view === 'pricing' ? (
        <PairPricing key={pairKey(row)} chainId={row.chainId} pair={row.pair} base={row.base} quote={row.quote} />
      ) : (
        <LadderEditor key={pairKey(row)} {...row} settings={settings} onSettings={setSettings} />
      )}
    </>
  );
}
