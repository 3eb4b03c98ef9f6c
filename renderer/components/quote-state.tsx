import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { useDeskNow } from '../state/clock.ts';
import { filledText } from './figures/counts.ts';
import { countdownText } from './figures/times.ts';
import { Mark, type MarkShape } from './mark.tsx';

const LOOKS: Record<QuoteRow['state'], { shape: MarkShape; tone: string; word: string }> = {
  live: { shape: 'open', tone: '', word: 'Open' },
  part_filled: { shape: 'part', tone: 'ok', word: 'Filled' },
  filled: { shape: 'filled', tone: 'ok', word: 'Filled' },
  expired: { shape: 'expired', tone: 'quiet', word: 'Expired' },
  cancelled: { shape: 'cancelled', tone: 'quiet', word: 'Cancelled' },
  withheld: { shape: 'withheld', tone: 'stop', word: 'Withheld' },
  refused: { shape: 'refused', tone: 'stop', word: 'Refused' },
};

/** What became of a quote; one that can still be filled counts down. */
export function QuoteState({ row }: { row: QuoteRow }) {
  const { shape, tone, word } = LOOKS[row.state];
  return (
    <span className="with-mark" title={row.code ?? undefined}>
      <Mark shape={shape} tone={tone} />
      {word}
      {row.state === 'live' && row.expiry !== null && <LeftOf expiry={row.expiry} />}
      {row.makerAmount !== null &&
        (row.state === 'part_filled' || (row.state === 'expired' && row.filledMakerAmount !== '0')) && (
          <>&nbsp;{filledText(row.filledMakerAmount, row.makerAmount)}&nbsp;%</>
        )}
    </span>
  );
}

function LeftOf({ expiry }: { expiry: number }) {
  const now = useDeskNow();
  return <b className="strong live-figure">&nbsp;{countdownText(expiry * 1_000 - now)}</b>;
}
