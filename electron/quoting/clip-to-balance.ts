import type { BookPair, ChainBook } from '../book/chain-book.ts';
import { rulesOf } from '../guard/chain-rules.ts';
import { ceil, WHOLE_BPS } from '../protocol/decimal.ts';
import { cutLevels, ladderDepth } from '../protocol/ladder-depth.ts';
import { walkLadder } from '../protocol/ladder-walk.ts';
import type { Side } from '../protocol/side.ts';
import type { Level } from '../protocol/wire.ts';

/** Raw units that rounding may add on the way from a served depth to a request for all of it. */
const ROUNDING = 2n;

/** The maker's token on a side: what it gives. */
export function givenToken(pair: BookPair, side: Side) {
  return side === 'asks' ? pair.base : pair.quote;
}

/**
 * The depth of a side in the maker's token that can be served when `quotable` raw units of it can be signed: a request
 * for all of it and the overfill on top must not be refused (DESIGN, the firm path).
 */
export function servableDepth(chain: ChainBook, pair: BookPair, side: Side, quotable: bigint): bigint {
  const most = under(quotable - roundingOf(pair, side), chain.config.overfillBps);
  const received = rulesOf(chain).most.maxQuote.get((side === 'asks' ? pair.quote : pair.base).address);
  if (received === undefined) return most;
  // A limit on what one quote may bring in cuts the depth as well: as much as that amount is worth on this ladder.
  const amount = under(received - ROUNDING, chain.config.overfillBps);
  const worth = walkLadder({ levels: pair[side], side, given: 'takerAmount', amount, overfillBps: 0 });
  if (worth.kind === 'amount_too_small') return 0n;
  return worth.kind === 'priced' && worth.makerAmount < most ? worth.makerAmount : most;
}

/** The levels of a side as far as they can be served. The published ones themselves where nothing is cut. */
export function servedLevels(chain: ChainBook, pair: BookPair, side: Side, quotable: bigint): readonly Level[] {
  const levels = pair.ladder.ladder[side];
  const prepared = pair[side];
  if (prepared.length === 0) return [];
  if (!chain.config.clipToBalance) return levels;
  const most = servableDepth(chain, pair, side, quotable);
  if (most >= sideDepth(pair, side)) return levels;
  return cutLevels({ levels, prepared, side, maxMakerAmount: most, baseDecimals: pair.base.decimals });
}

const depths = new WeakMap<BookPair, Record<Side, bigint>>();

/** All of a published side in the maker's token, rounded up to a raw unit. */
function sideDepth(pair: BookPair, side: Side): bigint {
  const known = depths.get(pair);
  if (known !== undefined) return known[side];
  const made = { bids: ladderDepth(pair.bids, 'quote') + 1n, asks: ladderDepth(pair.asks, 'base') + 1n };
  depths.set(pair, made);
  return made[side];
}

/** What must be quotable for a side to be served whole. */
export function neededForAll(chain: ChainBook, pair: BookPair, side: Side): bigint {
  const over = (sideDepth(pair, side) * (WHOLE_BPS + BigInt(chain.config.overfillBps))) / WHOLE_BPS;
  return over + 2n * roundingOf(pair, side);
}

/** What rounding of either token may be worth in the maker's token: a raw unit of USDC is millions of those of WETH. */
function roundingOf(pair: BookPair, side: Side): bigint {
  const best = pair[side][0]?.price;
  if (best === undefined) return ROUNDING;
  return ROUNDING + ceil(side === 'asks' ? { n: best.d, d: best.n } : best);
}

function under(amount: bigint, overfillBps: number): bigint {
  const most = (amount * WHOLE_BPS) / (WHOLE_BPS + BigInt(overfillBps));
  return most > 0n ? most : 0n;
}
