import type { z } from 'zod';
import type { intentBuildBodySchema, OnChainOrderType } from '../../protocol/intent-build.ts';
import type { SwapSide } from '../../protocol/market-wire.ts';
import { isNative } from '../../protocol/route-token.ts';
import { type ServiceErrorType, WireRefused } from '../wire-refused.ts';

export type BuildAsk = z.output<typeof intentBuildBodySchema>;

/** Below these a TWAP is none (PROTOCOL 18). Seconds, and slices. */
const SHORTEST_INTERVAL = 60;
const FEWEST_SLICES = 2;

/** What each kind cannot do without, and how PROTOCOL 17 says that it is missing. */
export const KIND_FIELDS: Partial<Record<OnChainOrderType, { fields: (keyof BuildAsk)[]; fault: ServiceErrorType }>> = {
  ExternalOrder: { fields: ['handler', 'data'], fault: 'InvalidExternalOrderParams' },
  ProductiveOrder: { fields: ['strategy'], fault: 'InvalidProductiveOrderParams' },
  TWAPOrder: { fields: ['interval', 'numSlices', 'totalSrcAmount'], fault: 'InvalidTWAPParams' },
  TWAPBuyOrder: {
    fields: ['interval', 'numSlices', 'totalDestAmount', 'maxSrcAmount'],
    fault: 'InvalidTWAPBuyParams',
  },
};

/** Which amount an order fixes: the kinds of TWAP say it by their names. */
export function sideOf({ orderType, side = 'SELL' }: Pick<BuildAsk, 'orderType' | 'side'>): SwapSide {
  if (orderType === 'TWAPOrder') return 'SELL';
  return orderType === 'TWAPBuyOrder' ? 'BUY' : side;
}

/** The rules of each kind (PROTOCOL 14.4). @throws WireRefused with the texts of PROTOCOL 17 */
export function checkKind(ask: BuildAsk): void {
  const { orderType, route } = ask;
  const needed = KIND_FIELDS[orderType];
  if (needed?.fields.some((field) => ask[field] === undefined)) throw new WireRefused(needed.fault);
  if (orderType === 'ExternalOrder' && (route.bridge || isNative(route.destination.output.token.address))) {
    throw new WireRefused('InvalidInput', 'A handler is given a token of the source chain');
  }
  if (orderType !== 'TWAPOrder' && orderType !== 'TWAPBuyOrder') return;
  const { interval = 0, numSlices = 0 } = ask;
  if (needed && !isTwap({ interval, numSlices })) throw new WireRefused(needed.fault);
  const sells = orderType === 'TWAPOrder';
  const slice = sells ? route.origin.input.amount : (route.origin.output ?? route.destination.output).amount;
  const total = (sells ? ask.totalSrcAmount : ask.totalDestAmount) ?? '0';
  // What remains of the total is meant to remain.
  if (BigInt(slice) === BigInt(total) / BigInt(numSlices)) return;
  throw new WireRefused(sells ? 'InvalidTWAPSrcAmount' : 'InvalidTWAPBuyDestAmount');
}

/** Long enough apart, and more than one (PROTOCOL 18). `interval` in seconds. */
export function isTwap({ interval, numSlices }: { interval: number; numSlices: number }): boolean {
  return interval >= SHORTEST_INTERVAL && numSlices >= FEWEST_SLICES;
}
