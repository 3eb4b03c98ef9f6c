import { z } from 'zod';
import { quoteQuerySchema } from '../../protocol/intent-wire.ts';
import { type PriceRoute, pricesQuerySchema } from '../../protocol/market-wire.ts';
import { toQuery } from '../../protocol/query-fields.ts';
import { priceSwap } from '../router/price-swap.ts';
import { parseInput } from '../service/route.ts';
import { WireRefused } from '../wire-refused.ts';
import { type IntentDesk, noIntentRoute } from './intent-desk.ts';
import { stackedFeeBps } from './partner-fee.ts';
import { priceIntent } from './price-intent.ts';

type Priced<Price> = { price: Price } | { refused: WireRefused };

/**
 * `GET /v2/quote` (PROTOCOL 14.3): the intent's price and the market's route side by side, or the one that `mode` names. With
 * `ALL` what the intent product cannot price falls back to the market, and `fallbackReason` says why.
 * @throws WireRefused when nothing that was wanted can be priced
 */
export async function combinedQuote(desk: IntentDesk, given: Record<string, string>): Promise<Record<string, unknown>> {
  const { mode: intentMode, block } = desk.names;
  const schema = quoteQuerySchema.extend({ mode: z.enum(['ALL', intentMode, 'MARKET']).default('ALL') });
  const { mode, ...query } = parseInput(schema, given);
  if (mode === intentMode) return { [block]: await priceIntent(desk, query) };
  if (mode === 'MARKET') return { market: await marketRoute(desk, query) };
  const [intent, market] = await Promise.all([outcome(priceIntent(desk, query)), outcome(marketRoute(desk, query))]);
  const route = 'price' in market ? { market: market.price } : {};
  if ('price' in intent) return { [block]: intent.price, ...route };
  const { code: errorType, message: details } = intent.refused;
  if ('price' in market) return { ...route, fallbackReason: { errorType, details } };
  throw intent.refused;
}

/** The market's route for the router of today, the fee that is asked for counted in; it leads over no bridge. */
async function marketRoute(
  desk: IntentDesk,
  { chainId, destChainId = chainId, beneficiary, ...query }: Omit<z.output<typeof quoteQuerySchema>, 'mode'>,
): Promise<PriceRoute> {
  if (destChainId !== chainId) throw noIntentRoute();
  const { srcToken, destToken, amount, srcDecimals, destDecimals, side, userAddress, partner, partnerFeeBps } = query;
  stackedFeeBps(desk, partner, partnerFeeBps);
  const asked = { srcToken, destToken, amount, srcDecimals, destDecimals, side, userAddress, partner };
  const text = toQuery({ ...asked, network: chainId, receiver: beneficiary, version: '6.2' });
  return priceSwap(desk.market, parseInput(pricesQuerySchema, text), partnerFeeBps);
}

async function outcome<Price>(asked: Promise<Price>): Promise<Priced<Price>> {
  try {
    return { price: await asked };
  } catch (error) {
    if (error instanceof WireRefused) return { refused: error };
    throw error;
  }
}
