import { z } from 'zod';
import { type QuoteAnswer, quoteAnswerSchema, quoteQuerySchema } from '../protocol/intent-wire.ts';
import { type Asked, toQuery } from '../protocol/query-fields.ts';
import { checkPrice } from './intent-prices.ts';
import { checkRoute } from './market-checks.ts';
import { checkedAsk, type ServiceConnection } from './service-connection.ts';

const KEPT_MS = 2_000;

export type QuoteAsk = Asked<typeof quoteQuerySchema>;

/**
 * `GET /v2/quote` (PROTOCOL 14.3): the intent's price, the market's route, or both, and why it fell back. The intent product's
 * block is named `intent` here whatever the service calls it. Each block is of what was asked. Throws ServiceFault, DeskError
 * `bad_ask`.
 */
export async function combinedQuote(service: ServiceConnection, ask: QuoteAsk): Promise<QuoteAnswer> {
  const query = toQuery(ask);
  const asked = checkedAsk(quoteQuerySchema, query);
  const { mode, block } = service.intent;
  const answer = z
    .looseObject({})
    .transform(({ [block]: intent, ...rest }): unknown => ({ ...rest, intent }))
    .pipe(quoteAnswerSchema);
  if (asked.mode === 'INTENT') query.mode = mode;
  const quote = await service.get({ path: '/v2/quote', query, answer, keptFor: () => KEPT_MS });
  if (quote.intent) checkPrice(quote.intent, asked);
  if (quote.market) checkRoute(quote.market, { ...asked, network: asked.chainId });
  return quote;
}
