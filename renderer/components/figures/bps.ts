import type { Mark } from '../../../electron/contract/quote-log.ts';
import { groupedText } from './decimal-text.ts';

/** Tenths of a basis point, always with a sign: `+2.4`, `−0.3`, `0.0`. */
export function signedBpsText(tenthBps: number): string {
  const text = groupedText({ digits: BigInt(tenthBps), places: 1 });
  return tenthBps > 0 ? `+${text}` : text;
}

/** The same, `not yet` before its time and `—` without a reference. */
export function markText(mark: Mark): string {
  if (mark === null) return '—';
  return mark === 'not_yet' ? 'not yet' : signedBpsText(mark);
}
