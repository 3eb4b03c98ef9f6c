import type { PairRow } from '../../../electron/contract/book.ts';
import { plainText, product, readDecimal, sum } from '../../components/figures/decimal-text.ts';
import { distanceBpsText } from '../../components/figures/prices.ts';
import { stampText } from '../../components/figures/times.ts';
import { zoneName } from '../../state/time-zone.ts';

const HALF = { digits: 5n, places: 1 };

/** How far our mid lies from the independent reference, in bps with its sign; `—` where there is none. */
export function midToReference({ bestBid, bestAsk, reference }: PairRow): string {
  const [bid, ask] = [readDecimal(bestBid ?? ''), readDecimal(bestAsk ?? '')];
  if (bid === null || ask === null || !reference) return '—';
  return distanceBpsText(plainText(product(sum(bid, ask), HALF)), reference.mid) ?? '—';
}

/** A distance that loses money is never grey. */
export function referenceTone({ reference, offReference }: PairRow): 'stop' | 'attn' | 'muted' {
  const sides = [offReference?.bids, offReference?.asks];
  if (sides.some((side) => side?.kind === 'through' || side?.closed === true)) return 'stop';
  if (sides.some((side) => side != null)) return 'attn';
  return reference?.stale || reference?.heldBack ? 'attn' : 'muted';
}

export function referenceTitle({ reference, follow }: PairRow): string {
  if (!reference) return 'No reference is known for this pair';
  const said = `Reference ${reference.mid}, of ${stampText(reference.time)} ${zoneName(reference.time)}${reference.stale ? ': too old' : ''}${reference.heldBack ? `\nHeld back: ${reference.heldBack}` : ''}`;
  return follow?.on ? `${said}\nThe ladder follows it${follow.note === null ? '' : `, not now: ${follow.note}`}` : said;
}
