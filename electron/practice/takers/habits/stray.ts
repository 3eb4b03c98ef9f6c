import type { MarketView } from '../market-view.ts';
import type { Wish } from '../wish.ts';

const SLIPPAGE_BPS = 50;

/** Somebody who was sent to the wrong maker: their two tokens are known there, but are no pair. They are refused. */
export function decideStray({ unlisted }: MarketView, random: () => number): Wish | null {
  const pair = unlisted[Math.floor(random() * unlisted.length)];
  if (pair === undefined) return null;
  const { pairId, base: takerToken, quote: makerToken } = pair;
  const given = 10n ** BigInt(takerToken.decimals);
  const got = 10n ** BigInt(makerToken.decimals);
  const hop = { pairId, direction: 'sell', takerToken, makerToken, given, got } as const;
  return { exact: 'in', hops: [hop], slippageBps: SLIPPAGE_BPS, ending: 'fill' };
}
