import { z } from 'zod';
import { listedChainSchema } from '../protocol/market-lists.ts';
import {
  type TransactionEnvelope,
  type TransactionsBody,
  transactionEnvelopeSchema,
  transactionsBodySchema,
  transactionsQuerySchema,
} from '../protocol/market-transaction.ts';
import { type PriceRoute, pricesAnswerSchema, pricesQuerySchema } from '../protocol/market-wire.ts';
import { type Asked, toQuery } from '../protocol/query-fields.ts';
import { checkEnvelope, checkRoute } from './market-checks.ts';
import { checkedAsk, type ServiceConnection } from './service-connection.ts';

/** A price is kept for a moment, far shorter than the service takes it for fresh (PROTOCOL 18: about 30 s). */
const PRICE_KEPT_MS = 2_000;
/** What is served at all changes seldom, and each question is one of the day's. */
const LIST_KEPT_MS = 6 * 3_600_000;
/** The router's version (PROTOCOL 14.1): what is left out would be priced for the legacy router. */
const VERSION = '6.2';

export type PricesAsk = Asked<typeof pricesQuerySchema>;
export type TransactionOptions = Omit<Asked<typeof transactionsQuerySchema>, 'onlyParams'>;

/** `GET /prices` (PROTOCOL 14.1): a route at the router's version, that is what was asked. Throws ServiceFault, DeskError `bad_ask`. */
export async function marketPrices(service: ServiceConnection, ask: PricesAsk): Promise<PriceRoute> {
  const query = toQuery({ version: VERSION, ...ask });
  const asked = checkedAsk(pricesQuerySchema, query);
  const answer = pricesAnswerSchema;
  const { priceRoute } = await service.get({ path: '/prices', query, answer, keptFor: () => PRICE_KEPT_MS });
  checkRoute(priceRoute, asked);
  return priceRoute;
}

/**
 * `POST /transactions/{chainId}` (PROTOCOL 14.2): the transaction of a route, from the caller to the route's router, on the route's
 * chain. It is built, not sent, and may be asked for again. Throws ServiceFault, DeskError `bad_ask`.
 */
export async function marketTransaction(
  service: ServiceConnection,
  body: TransactionsBody,
  options: TransactionOptions = {},
): Promise<TransactionEnvelope> {
  const envelope = await service.post({ ...transactionQuestion(body, options), answer: transactionEnvelopeSchema });
  checkEnvelope(envelope, { ...body, priceRoute: body.priceRoute as PriceRoute });
  return envelope;
}

function transactionQuestion(body: TransactionsBody, options: Asked<typeof transactionsQuerySchema>) {
  const query = toQuery(options);
  checkedAsk(transactionsQuerySchema, query);
  const { priceRoute } = checkedAsk(transactionsBodySchema, body);
  return { path: `/transactions/${priceRoute.network}`, query, body };
}

const listAnswer = z.union([z.array(z.unknown()), z.looseObject({})]).transform((answer) => {
  if (Array.isArray(answer)) return answer;
  return Object.values(answer).find((value): value is unknown[] => Array.isArray(value)) ?? [];
});

/** `GET /chains`: the ids of the chains that the service knows (PROTOCOL 11). What cannot be read in the list is left out. */
export async function marketChains(service: ServiceConnection): Promise<number[]> {
  const list = await service.get({ path: '/chains', answer: listAnswer, keptFor: () => LIST_KEPT_MS });
  return list.flatMap((entry) => listedChainSchema.safeParse(entry).data ?? []);
}
