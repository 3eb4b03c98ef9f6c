import { type Mark, MOST_TENTH_BPS } from '../../../electron/contract/quote-log.ts';
import { groupedText } from './decimal-text.ts';

/** Tenths of a basis point, always with a sign: `+2.4`, `−0.3`, `0.0`; at the bound and beyond `> +100k`. */
export function signedBpsText(tenthBps: number): string {
  if (Math.abs(tenthBps) >= MOST_TENTH_BPS) return tenthBps > 0 ? '> +100k' : '< −100k';
  const text = groupedText({ digits: BigInt(tenthBps), places: 1 });
  return tenthBps > 0 ? `+${text}` : text;
}

/** The same, `not yet` before its time and `—` without a reference. */
export function markText(mark: Mark): string {
  if (mark === null) return '—';
  return mark === 'not_yet' ? 'not yet' : signedBpsText(mark);
}
