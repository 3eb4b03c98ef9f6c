import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Ask } from '../guard/chain-guard.ts';
import type { FirmRequest } from '../protocol/firm-request.ts';
import { walkLadder } from '../protocol/ladder-walk.ts';
import type { Side } from '../protocol/side.ts';

/** What the ladder makes of a request. */
export type Priced = { ask: Ask } | { code: RefusalCode };

/** Prices a firm request along the published ladder, exactly (spec 4.3, prices rules 2, 5, 6). */
export function priceRequest(chain: ChainBook, pair: BookPair, side: Side, request: FirmRequest): Priced {
  const levels = pair[side];
  if (levels.length === 0) return { code: 'no_price' };
  const { given, amount, userAddress: user, takerAddress: taker } = request;
  const walk = walkLadder({ levels, side, given, amount, overfillBps: chain.config.overfillBps });
  if (walk.kind !== 'priced') return { code: walk.kind };
  const { makerAmount, takerAmount } = walk;
  // The book's own texts: an order that lives for minutes keeps nothing of the request that asked for it.
  const [base, quote] = [pair.base.address, pair.quote.address];
  const [makerAsset, takerAsset] = side === 'asks' ? [base, quote] : [quote, base];
  return { ask: { user, taker, makerAsset, takerAsset, makerAmount, takerAmount } };
}
