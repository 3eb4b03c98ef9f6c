import { floor, fromRaw } from './decimal.ts';
import type { PreparedLevel } from './ladder.ts';
import type { Side } from './side.ts';
import type { Level } from './wire.ts';

/** All that one side of a ladder holds, in raw units of base or of quote, rounded down. */
export function ladderDepth(levels: readonly PreparedLevel[], unit: 'base' | 'quote'): bigint {
  const first = levels[0];
  if (first === undefined) return 0n;
  let n = 0n;
  for (const { price, amount } of levels) n += unit === 'base' ? amount.n : amount.n * price.n;
  return floor({ n, d: unit === 'base' ? first.amount.d : first.amount.d * first.price.d });
}

/**
 * Cuts one side of a ladder so that its whole depth makes the maker give at most `maxMakerAmount` raw units: base on
 * `asks`, quote on `bids`. Levels that fit stay as they were published, the one where the limit lies is shortened to
 * whole raw units of base (and left out where it would then be worth less than one raw unit of quote), and those behind
 * it are left out. `prepared` are the same `levels` in raw units.
 */
export function cutLevels(cut: {
  levels: readonly Level[];
  prepared: readonly PreparedLevel[];
  side: Side;
  maxMakerAmount: bigint;
  baseDecimals: number;
}): Level[] {
  const served: Level[] = [];
  const first = cut.prepared[0];
  if (first === undefined || cut.maxMakerAmount <= 0n) return served;
  const ofBase = cut.side === 'asks';
  let left = cut.maxMakerAmount * (ofBase ? first.amount.d : first.amount.d * first.price.d);
  for (const [index, { price, amount }] of cut.prepared.entries()) {
    const level = cut.levels[index];
    const room = ofBase ? amount.n : amount.n * price.n;
    if (level === undefined) break;
    if (room > left) {
      const base = left / (ofBase ? amount.d : amount.d * price.n);
      if (base * price.n >= price.d) served.push([level[0], fromRaw(base, cut.baseDecimals)]);
      break;
    }
    left -= room;
    served.push([...level]);
  }
  return served;
}
