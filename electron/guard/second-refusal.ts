import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Ask } from './ask.ts';
import type { ChainGuards } from './chain-guards.ts';
import { ruleRefusal } from './quote-limits.ts';
import { isPushStale } from './side-refusal.ts';

/** What is needed of it to judge it again. Where the book of then is not there any more, everything is judged anew. */
export interface JudgedAgain {
  readonly chain: Pick<ChainBook, 'chainId'>;
  readonly pair: Pick<BookPair, 'id' | 'base' | 'quote'>;
  readonly ask: Ask;
}

/**
 * Why a signed order must be withheld although the latch holds, or null: since it was admitted its user was blacklisted, a
 * limit lowered, its pair retired or found faulty, a token of it closed, or the engine that prices it fell silent. `current` is its
 * chain as it is at `now` (Unix milliseconds).
 */
export function secondRefusal(
  desk: Parameters<typeof isPushStale>[0] & { readonly orders: Pick<ChainGuards, 'of'> },
  { chain, pair, ask }: JudgedAgain,
  { current, now }: { current: ChainBook | undefined; now: number },
): RefusalCode | null {
  const live = desk.orders.of(chain.chainId);
  if (live.tokens.of(pair.base) !== null || live.tokens.of(pair.quote) !== null) return 'token_closed';
  const priced = current?.pairs.get(pair.id);
  if (current !== undefined && priced !== undefined && isPushStale(desk, { chain: current, pair: priced }, now))
    return 'prices_stale';
  if (current === chain) return null;
  if (current === undefined) return 'unknown_pair';
  const blacklisted = current.blacklistCode(ask.user, now);
  if (blacklisted !== null) return blacklisted;
  if (priced === undefined || priced.retiredUntil !== null || priced.fault !== null) return 'pair_disabled';
  return ruleRefusal(current, ask, live, { isCounted: true });
}
