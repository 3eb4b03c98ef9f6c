import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Ask } from '../guard/ask.ts';
import type { FirmRequest } from '../protocol/firm-request.ts';
import { walkLadder } from '../protocol/ladder-walk.ts';
import type { Side } from '../protocol/side.ts';
import type { ServedLately } from './served-lately.ts';

/** What the ladder makes of a request. */
export type Priced = { ask: Ask } | { code: RefusalCode };

/**
 * Prices a firm request along the published ladder, exactly (PROTOCOL 4.3.3 and 4.3.5, 6). One that is over the depth
 * because the ladder followed the reference since it was served is priced as far as that depth reached.
 */
export function priceRequest(
  chain: ChainBook,
  { pair, side }: { pair: BookPair; side: Side },
  request: FirmRequest,
  depths: Pick<ServedLately, 'reach'>,
): Priced {
  const levels = pair[side];
  if (levels.length === 0) return { code: 'no_price' };
  const { given, amount, userAddress: user, takerAddress: taker } = request;
  const { overfillBps } = chain.config;
  let walk = walkLadder({ levels, side, given, amount, overfillBps });
  if (walk.kind === 'insufficient_depth') {
    const reach = depths.reach(pair, side, request, overfillBps);
    if (reach !== null) walk = walkLadder({ levels, side, given, amount, overfillBps, reach });
  }
  if (walk.kind !== 'priced') return { code: walk.kind };
  const { makerAmount, takerAmount } = walk;
  // The book's own texts: an order that lives for minutes keeps nothing of the request that asked for it.
  const [base, quote] = [pair.base.address, pair.quote.address];
  const [makerAsset, takerAsset] = side === 'asks' ? [base, quote] : [quote, base];
  return { ask: { pair: pair.id, user, taker, makerAsset, takerAsset, makerAmount, takerAmount } };
}
