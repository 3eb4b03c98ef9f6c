import type { z } from 'zod';
import type { swapQuerySchema } from '../../protocol/market-transaction.ts';
import { buildSwap } from './build-swap.ts';
import type { MarketDesk } from './market-desk.ts';
import { priceSwap } from './price-swap.ts';

/** Price and transaction in one: no RFQ liquidity, no `gas` in the result (PROTOCOL 14.2). @throws MarketRefused */
export async function fuseSwap(desk: MarketDesk, query: z.output<typeof swapQuerySchema>, signal: AbortSignal) {
  const priceRoute = await priceSwap(desk, { ...query, excludeRFQ: true });
  const fixed = query.side === 'SELL' ? { srcAmount: query.amount } : { destAmount: query.amount };
  const wish = { ...query, ...fixed, priceRoute };
  const txParams = await buildSwap(desk, query.network, wish, { ...query, ignoreGasEstimate: true }, signal);
  return { priceRoute, txParams };
}
