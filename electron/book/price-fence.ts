import type { ChainConfig, Ladder } from '../contract/desk-file.ts';
import { bpsText } from '../contract/marks.ts';
import { compare, floor, mul, parseDecimal, type Rational, sub } from '../protocol/decimal.ts';
import type { Level } from '../protocol/wire.ts';
import type { ChainBook } from './chain-book.ts';
import type { Fault } from './faults.ts';
import type { References } from './references.ts';

/** Beyond this a distance is only told as beyond: 10,000 %. Tenths of a basis point. */
const FARTHEST_TOLD = 10_000_000n;

type Fences = Pick<ChainConfig, 'fenceSoftBps' | 'fenceHardBps'>;

/** Where a side reaches to: `soft` past the fence that is told, `hard` past the one beyond which nothing is signed. */
export interface PastFence {
  readonly band: 'soft' | 'hard';
  /** How far that fence is from the reference. */
  readonly bps: number;
  /** The level that is farthest, the best one being 0. */
  readonly level: number;
  readonly tenthBps: number;
}

/** The level of a side that is farthest from the reference, whichever way; null of an empty one. */
export function farthestLevel(levels: readonly Level[], mid: Rational): { level: number; away: Rational } | null {
  let farthest: { level: number; away: Rational } | null = null;
  // Prices go one way along a side, so that no level between is farther than both ends.
  for (const level of new Set([0, levels.length - 1])) {
    const price = levels[level]?.[0];
    if (price === undefined) continue;
    const away = size(sub(parseDecimal(price), mid));
    if (farthest === null || compare(away, farthest.away) > 0) farthest = { level, away };
  }
  return farthest;
}

/** How the level of a side that is farthest from the reference, whichever way, stands to the fences; null where it is within both. */
export function pastFence(levels: readonly Level[], mid: Rational, fences: Fences): PastFence | null {
  const { fenceSoftBps: soft = 0, fenceHardBps: hard = 0 } = fences;
  if ((soft === 0 && hard === 0) || mid.n === 0n) return null;
  const farthest = farthestLevel(levels, mid);
  if (farthest === null) return null;
  const { level, away } = farthest;
  const isPast = (bps: number) => bps > 0 && compare(away, mul(mid, { n: BigInt(bps), d: 10_000n })) > 0;
  const band = isPast(hard) ? 'hard' : isPast(soft) ? 'soft' : null;
  if (band === null) return null;
  return { band, bps: band === 'hard' ? hard : soft, level, tenthBps: tenthBpsOf(away, mid) };
}

/**
 * What keeps a ladder from being published: sides that reach past the hard fence. Nothing while no fresh reference says where the market
 * is, for then the pair is closed.
 */
export function fenceFaults(
  { chainId, config }: Pick<ChainBook, 'chainId' | 'config'>,
  pair: string,
  ladder: Ladder,
  { references, now }: { references: Pick<References, 'of' | 'midFreshUntil'>; now: number },
): Fault[] {
  const mid = references.of(chainId, pair)?.mid;
  if (mid === undefined || now > (references.midFreshUntil({ chainId, config }, pair) ?? 0)) return [];
  return (['bids', 'asks'] as const).flatMap((side) => {
    const past = pastFence(ladder[side], parseDecimal(mid), config);
    if (past?.band !== 'hard') return [];
    const message = `is ${bpsText(past.tenthBps)} bps from the reference ${mid}, and nothing is signed beyond ${past.bps}`;
    return [{ path: `${side}[${past.level}][0]`, message }];
  });
}

/** A distance, whichever way, in tenths of a basis point of the mid. */
export function tenthBpsOf(away: Rational, mid: Rational): number {
  const { n, d } = size(away);
  const tenths = floor(mul({ n, d }, { n: 100_000n * mid.d, d: mid.n }));
  return Number(tenths < FARTHEST_TOLD ? tenths : FARTHEST_TOLD);
}

function size({ n, d }: Rational): Rational {
  return { n: n < 0n ? -n : n, d };
}
