import { BigNumber } from 'bignumber.js';
import type { Token } from '../../protocol/wire.ts';
import { depthOf, expectedAmount } from '../consumer/expected-amount.ts';
import type { MarketPair } from './market-view.ts';
import type { Hop } from './wish.ts';

interface HopRequest {
  pair: MarketPair;
  direction: Hop['direction'];
  exact: 'in' | 'out';
  /** Raw units of the token that `exact` names. */
  amount: bigint;
}

/** The hop as the cached grid prices it; null when the grid is not deep enough, or an amount would be nothing. */
export function priceHop({ pair, direction, exact, amount }: HopRequest): Hop | null {
  const { takerToken, makerToken, token } = tokensOf(pair, direction, exact);
  const [named, other] = exact === 'in' ? [takerToken, makerToken] : [makerToken, takerToken];
  const units = new BigNumber(`${amount}`).shiftedBy(-named.decimals);
  const expected = expectedAmount(
    { bids: [...pair.bids], asks: [...pair.asks] },
    { direction, token, amount: units },
    other.decimals,
  );
  if (expected === null || amount <= 0n || expected.isZero()) return null;
  const computed = BigInt(expected.shiftedBy(other.decimals).toFixed(0));
  const [given, got] = exact === 'in' ? [amount, computed] : [computed, amount];
  return { pairId: pair.pairId, direction, takerToken, makerToken, given, got };
}

/** A share (1 is all) of what the side holds, in raw units of the token that `exact` names, rounded down. */
export function shareOfDepth({ pair, direction, exact }: Omit<HopRequest, 'amount'>, share: number): bigint {
  const { takerToken, makerToken, token } = tokensOf(pair, direction, exact);
  const { decimals } = exact === 'in' ? takerToken : makerToken;
  const depth = depthOf(direction === 'sell' ? pair.bids : pair.asks)[token];
  return BigInt(depth.times(share.toFixed(9)).shiftedBy(decimals).toFixed(0, BigNumber.ROUND_DOWN));
}

/** Who gives what, and which token of the pair is the one named. */
function tokensOf({ base, quote }: MarketPair, direction: Hop['direction'], exact: 'in' | 'out') {
  const [takerToken, makerToken]: [Token, Token] = direction === 'sell' ? [base, quote] : [quote, base];
  const token = (direction === 'sell') === (exact === 'in') ? 'base' : 'quote';
  return { takerToken, makerToken, token } as const;
}
