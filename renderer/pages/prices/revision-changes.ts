import type { Ladder } from '../../../electron/contract/desk-file.ts';
import { plural } from '../../components/figures/counts.ts';
import { readDecimal, toPixels } from '../../components/figures/decimal-text.ts';
import type { Side } from '../../components/side-mark.tsx';

/** What one revision changed against the one before it, as a trader says it: `20 prices moved, +0.8 bps on average`. */
export function changeText(before: Ladder | undefined, after: Ladder): string {
  if (before === undefined) return '';
  const parts: string[] = [];
  const moved = (['bids', 'asks'] as const).flatMap((side) => movesOf(before, after, side));
  if (moved.length > 0) {
    const mean = moved.reduce((total, bps) => total + bps, 0) / moved.length;
    const text = Math.abs(mean).toFixed(1);
    const sign = text === '0.0' ? '' : mean > 0 ? '+' : '−';
    parts.push(`${plural(moved.length, 'price')} moved, ${sign}${text} bps${moved.length > 1 ? ' on average' : ''}`);
  }
  const resized = (['bids', 'asks'] as const).flatMap((side) =>
    after[side].filter(([, amount], level) => before[side][level] !== undefined && before[side][level][1] !== amount),
  ).length;
  if (resized > 0) parts.push(`${plural(resized, 'size')} changed`);
  for (const side of ['bids', 'asks'] as const) {
    const more = after[side].length - before[side].length;
    if (more !== 0) {
      parts.push(`${plural(Math.abs(more), side === 'bids' ? 'bid' : 'ask')} ${more > 0 ? 'added' : 'removed'}`);
    }
  }
  return parts.length === 0 ? 'same ladder' : parts.join(' · ');
}

/** By how many bps each price of a side moved; for a sentence, so these are floats. */
function movesOf(before: Ladder, after: Ladder, side: Side): number[] {
  return after[side].flatMap(([price], level) => {
    const was = readDecimal(before[side][level]?.[0] ?? '');
    const is = readDecimal(price);
    if (was === null || is === null || was.digits === 0n) return [];
    const [from, to] = [toPixels(was), toPixels(is)];
    return from === to ? [] : [((to - from) / from) * 10_000];
  });
}
