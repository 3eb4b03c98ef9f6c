import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { useDeskNow } from '../state/clock.ts';
import { filledText } from './figures/counts.ts';
import { countdownText } from './figures/times.ts';
import { Mark, type MarkShape } from './mark.tsx';

const LOOKS: Record<QuoteRow['outcome'], { shape: MarkShape; tone: string; word: string }> = {
  open: { shape: 'open', tone: '', word: 'Open' },
  filled: { shape: 'filled', tone: 'ok', word: 'Filled' },
  expired: { shape: 'expired', tone: 'quiet', word: 'Expired' },
  cancelled: { shape: 'cancelled', tone: 'quiet', word: 'Cancelled' },
  withheld: { shape: 'withheld', tone: 'stop', word: 'Withheld' },
  refused: { shape: 'refused', tone: 'stop', word: 'Refused' },
};

/**
 * What became of a quote, with the share that was filled; an open one counts down while nothing is, or while a rest of it is worth
 * something (`hasRest`), and else says `99.0 % filled`. One that was cancelled after a part was filled says both.
 */
export function QuoteState({ row, hasRest = false }: { row: QuoteRow; hasRest?: boolean }) {
  const { shape, tone, word } = LOOKS[row.state === 'cancelled' ? 'cancelled' : row.outcome];
  const filled = row.makerAmount === null || row.filledMakerAmount === '0' ? null : row.makerAmount;
  const isPart = row.outcome === 'open' && filled !== null;
  const expiry = row.outcome === 'open' && (filled === null || hasRest) ? row.expiry : null;
  return (
    <span className="with-mark" title={titleOf(row)}>
      <Mark shape={isPart ? 'part' : shape} tone={isPart ? 'ok' : tone} />
      {!isPart && word}
      {filled !== null && row.filledMakerAmount !== filled && (
        <>
          {!isPart && '\u00a0'}
          {filledText(row.filledMakerAmount, filled)}&nbsp;%{isPart && expiry === null && '\u00a0filled'}
        </>
      )}
      {expiry !== null && <LeftOf expiry={expiry} />}
    </span>
  );
}

/** Why it was refused, or how the order itself ended where a part of it was never filled. */
function titleOf({ code, outcome, state, filledMakerAmount }: QuoteRow): string | undefined {
  if (code !== null) return code;
  if (outcome === 'open' && filledMakerAmount !== '0') return 'Open: the rest of it can still be filled.';
  if (outcome !== 'filled' || state === 'filled') return undefined;
  return `The part that was not filled has ${state === 'expired' ? 'expired' : `been ${state}`}.`;
}

/** How long it can still be filled; Unix seconds. */
export function LeftOf({ expiry }: { expiry: number }) {
  const now = useDeskNow();
  return <b className="strong live-figure">&nbsp;{countdownText(expiry * 1_000 - now)}</b>;
}
