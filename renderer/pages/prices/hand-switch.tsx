import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { Link } from 'wouter';
import type { PairRow } from '../../../electron/contract/book.ts';
import type { Ladder } from '../../../electron/contract/desk-file.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { distanceBpsText, exactText } from '../../components/figures/prices.ts';
import { useClient, useDesk, useQueries, useToasts } from '../../state/console.tsx';
import { pricingPath } from '../../state/pages.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { midOf } from './ladder-figures.ts';
import styles from './ladder-tools.module.css';
import type { LadderValues } from './ladder-values.ts';
import { rowOf } from './pair-tabs.tsx';

interface Driven {
  chainId: number;
  pair: string;
  /** The engine that pushes its prices, if one does. */
  engine: string | null;
  hasFormula: boolean;
  byHand: boolean;
}

/** Who prices the pair: an engine or its formula, from which a person may take it over, or a person, who may give it back. */
export function HandSwitch(props: Driven) {
  const { chainId, pair, engine, hasFormula, byHand } = props;
  if (engine === null && !hasFormula && !byHand) return null;
  const who = byHand ? 'By hand' : hasFormula ? 'By formula' : `Engine ${engine}`;
  return (
    <span className={styles.follow}>
      {hasFormula ? (
        <Link href={pricingPath(chainId, pair)} className="strong" title="What its prices are made of">
          {who}
        </Link>
      ) : (
        <span className="strong">{who}</span>
      )}
      <HandButton {...props} />
    </span>
  );
}

/** Takes the pair over at once; gives it back only once it was said what that would change. */
export function HandButton(props: Driven & Pick<ComponentProps<typeof Button>, 'look' | 'size'>) {
  const { chainId, pair, hasFormula, byHand, look, size } = props;
  const { ladders } = useClient();
  const toasts = useToasts();
  const [giving, setGiving] = useState(false);
  const command = useCommand(async () => {
    try {
      await ladders.setHand({ chainId, pair, on: true });
    } catch (error) {
      const { sentence, remedy } = refusalOf(error);
      toasts.show({ level: 'stop', title: sentence, detail: remedy });
    }
  });
  return (
    <>
      <Button
        look={look}
        size={size}
        needs="trade"
        disabled={command.busy}
        title={noteOf(props)}
        onClick={() => (byHand ? setGiving(true) : command.run())}
      >
        {byHand ? 'Give back…' : 'Take over'}
      </Button>
      {giving && (
        <GiveBackDialog chainId={chainId} pair={pair} hasFormula={hasFormula} onClose={() => setGiving(false)} />
      )}
    </>
  );
}

function noteOf({ hasFormula, byHand }: Driven): string {
  if (hasFormula) {
    return byHand
      ? 'The ladder stands where it was left. Given back, its formula prices it again.'
      : 'Taken over, the ladder stands where it is until you publish another or give it back.';
  }
  return byHand
    ? 'What engines push of it is refused. Given back, the next prices that one pushes go live.'
    : 'Taken over, nothing more of the engine is accepted. What it pushed last is quoted until it is too old: publish your own before then.';
}

/** The step that its prices take when a formula, or an engine, has the pair again. */
function GiveBackDialog(props: Pick<Driven, 'chainId' | 'pair' | 'hasFormula'> & { onClose: () => void }) {
  const { chainId, pair, hasFormula, onClose } = props;
  const { ladders } = useClient();
  const formula = useQueries().formulas.list.queryOptions({
    input: { chainId, pair },
    refetchInterval: 1_000,
    gcTime: 0,
  });
  const read = useQuery({ ...formula, enabled: hasFormula });
  const bid = useDesk((view) => rowOf(view, { chainId, pair })?.bestBid ?? null);
  const ask = useDesk((view) => rowOf(view, { chainId, pair })?.bestAsk ?? null);
  const row = read.data?.[0];
  const next = row?.now?.ladder;
  const drift = driftText(next, { bestBid: bid, bestAsk: ask });
  return (
    <ConfirmDialog
      title={`Give ${pair} back to its ${hasFormula ? 'formula' : 'engine'}?`}
      keep="Keep it by hand"
      act="Give it back"
      needs="trade"
      send={() => ladders.setHand({ chainId, pair, on: false })}
      onClose={onClose}
    >
      <p>
        By hand it stands at <b className="strong">{pricesText(bid, ask)}</b>.{' '}
        {!hasFormula ? (
          'Given back, the next prices that an engine pushes go live, whatever they are.'
        ) : row === undefined ? (
          'What its formula gives is being read.'
        ) : row.why !== null ? (
          <>Its formula gives no prices now: {row.why}. Given back, the pair is closed until it does.</>
        ) : (
          <>
            Its formula gives <b className="strong">{pricesText(next?.bids[0]?.[0], next?.asks[0]?.[0])}</b>
            {drift === null ? '' : `, ${drift}`}, and that goes live within a second.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}

/** How far the middle of what a formula gives is from what is in hand: `+1.2 bps from yours`; null where either has one side. */
export function driftText(
  next: Ladder | undefined,
  { bestBid, bestAsk }: Pick<PairRow, 'bestBid' | 'bestAsk'>,
): string | null {
  const mine: LadderValues = {
    bids: bestBid === null ? [] : [[bestBid, '0']],
    asks: bestAsk === null ? [] : [[bestAsk, '0']],
  };
  const [theirs, here] = [next === undefined ? null : midOf(next), midOf(mine)];
  const bps = theirs === null || here === null ? null : distanceBpsText(theirs, here);
  return bps === null ? null : `${bps} bps from yours`;
}

function pricesText(bid: string | null | undefined, ask: string | null | undefined): string {
  const text = (price: string | null | undefined) => (price == null ? 'no price' : exactText(price));
  return `${text(bid)} / ${text(ask)}`;
}
