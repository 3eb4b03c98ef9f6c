import type { z } from 'zod';
import type { transactionsBodySchema } from '../../protocol/market-transaction.ts';
import type { PriceRoute, SwapSide } from '../../protocol/market-wire.ts';
import { WireRefused } from '../wire-refused.ts';
import type { RouteHop } from './our-route.ts';
import { otherEnd } from './price-path.ts';
import type { SwapTaxes } from './swap-taxes.ts';

export type SwapWish = z.output<typeof transactionsBodySchema>;

/** The amounts of a swap as the router takes them, raw units. */
export interface SwapTerms {
  side: SwapSide;
  srcAmount: bigint;
  destAmount: bigint;
  /** Of the amount that is not fixed, before fees: what surplus is measured on. */
  quotedAmount: bigint;
  /** How far the amount that is not fixed may fall short of, or exceed, what was priced. */
  slippageBps: number;
}

const WHOLE_BPS = 10_000n;

/**
 * The limits that the body sets (PROTOCOL 14.2): the fixed amount is the route's; the other one is named, or follows from what
 * the route promises under `feeBps` and the slippage.
 * @throws WireRefused when an amount is missing or is not the route's
 */
export function swapTerms(
  route: PriceRoute,
  wish: SwapWish,
  { hops, taxes, feeBps }: { hops: readonly RouteHop[]; taxes: SwapTaxes; feeBps: number },
): SwapTerms {
  const side = route.side ?? 'SELL';
  const [fixed, other] =
    side === 'SELL' ? (['srcAmount', 'destAmount'] as const) : (['destAmount', 'srcAmount'] as const);
  if (wish[fixed] === undefined) throw new WireRefused('InvalidInput', `${fixed} is required on ${side}`);
  if (wish[fixed] !== route[fixed]) throw new WireRefused('InvalidInput', `${fixed} is not the route’s`);
  const quotedAmount = side === 'SELL' ? sum(hops.at(-1), 'destAmount') : sum(hops[0], 'srcAmount');
  const promised = otherEnd({ side, taxes, feeBps }, quotedAmount);
  const named = wish[other];
  if (named === undefined && wish.slippage === undefined) {
    throw new WireRefused('InvalidInput', `slippage is required without ${other}`);
  }
  const limit = named === undefined ? withSlippage(side, promised, BigInt(wish.slippage ?? 0)) : BigInt(named);
  const amount = BigInt(route[fixed]);
  return {
    side,
    ...(side === 'SELL' ? { srcAmount: amount, destAmount: limit } : { srcAmount: limit, destAmount: amount }),
    quotedAmount,
    slippageBps: slippageBetween(promised, limit),
  };
}

function withSlippage(side: SwapSide, promised: bigint, slippage: bigint): bigint {
  if (side === 'SELL') return (promised * (WHOLE_BPS - slippage)) / WHOLE_BPS;
  return (promised * (WHOLE_BPS + slippage) + WHOLE_BPS - 1n) / WHOLE_BPS;
}

function slippageBetween(promised: bigint, limit: bigint): number {
  const distance = promised > limit ? promised - limit : limit - promised;
  return Number((distance * WHOLE_BPS) / promised);
}

function sum(hop: RouteHop | undefined, which: 'srcAmount' | 'destAmount'): bigint {
  return (hop?.swapExchanges ?? []).reduce((total, leg) => total + leg[which], 0n);
}
