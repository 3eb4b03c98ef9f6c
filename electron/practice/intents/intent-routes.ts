import { z } from 'zod';
import { type IntentList, intentListQuerySchema } from '../../protocol/intent-order-record.ts';
import { intentPricesQuerySchema } from '../../protocol/intent-wire.ts';
import { queryIntSchema } from '../../protocol/query-fields.ts';
import { spelledAddressSchema } from '../../protocol/route-token.ts';
import { isChainAway } from '../consumer/chain-away.ts';
import type { PracticeLog } from '../practice-log.ts';
import { MarketRefused } from '../router/market-refused.ts';
import { parseInput, parseJson, queryObject } from '../router/parse-input.ts';
import type { RateLimits } from '../service/rate-limits.ts';
import { failure, type RouteHandler, type ServiceRequest } from '../service/route.ts';
import { bridgeRoutes } from './bridge-lanes.ts';
import { buildOrder } from './build-order.ts';
import { buildCancellation, cancelOrders } from './cancel-orders.ts';
import { combinedQuote } from './combined-quote.ts';
import { type IntentDesk, intentChain } from './intent-desk.ts';
import { IntentRefused } from './intent-refused.ts';
import { isTokenSupported } from './intent-token.ts';
import { priceIntent } from './price-intent.ts';
import { type IntentRecord, recordOf, submitOrder } from './submit-order.ts';

interface Operation {
  method: 'GET' | 'POST';
  path: RegExp;
  answer(desk: IntentDesk, request: ServiceRequest, part: string): unknown;
}

const supportQuerySchema = z.object({ chainId: queryIntSchema, token: spelledAddressSchema });

/** The operations of PROTOCOL 14.3 and 14.4, the intent product under its segment. The first path that fits counts. */
function operationsOf(segment: string): Operation[] {
  const at = (path: string) => new RegExp(`^/v2/${segment}${path}$`);
  return [
    {
      method: 'GET',
      path: /^\/v2\/quote$/,
      answer: (desk, { query }) => combinedQuote(desk, queryObject(query)),
    },
    {
      method: 'GET',
      path: at('/prices'),
      answer: (desk, { query }) => priceIntent(desk, parseInput(intentPricesQuerySchema, queryObject(query))),
    },
    { method: 'GET', path: at('/prices/bridge-routes'), answer: (desk) => bridgeRoutes(desk) },
    {
      method: 'GET',
      path: at('/prices/is-token-supported'),
      answer(desk, { query }) {
        const { chainId, token } = parseInput(supportQuerySchema, queryObject(query));
        return { supported: isTokenSupported(intentChain(desk, chainId), token) };
      },
    },
    {
      method: 'POST',
      path: at('/orders/build/cancellation'),
      answer: (desk, { body }) => buildCancellation(desk, parseJson(body)),
    },
    {
      method: 'POST',
      path: at('/orders/build'),
      answer: (desk, { body }) => buildOrder(desk, parseJson(body)),
    },
    {
      method: 'POST',
      path: at('/orders/cancel'),
      answer: (desk, { body }) => cancelOrders(desk, parseJson(body)),
    },
    { method: 'POST', path: at('/orders'), answer: (desk, { body }) => submitOrder(desk, parseJson(body)) },
    {
      method: 'GET',
      path: at('/orders'),
      answer: (desk, { query }) => listOrders(desk, queryObject(query)),
    },
    {
      method: 'GET',
      path: at('/orders/([^/]+)'),
      answer: (desk, _, id) => readOrder(desk, id),
    },
  ];
}

/** Answers the operations of PROTOCOL 14.3 and 14.4; null for any other path. Never rejects. */
export function intentRoute(
  desk: IntentDesk,
  { limits, log }: { limits: Pick<RateLimits, 'admits'>; log: PracticeLog },
): RouteHandler {
  const operations = operationsOf(desk.names.segment);
  return async (request) => {
    const here = operations.filter(({ path }) => path.test(request.path));
    if (here.length === 0) return null;
    try {
      const operation = here.find(({ method }) => method === request.method);
      if (operation === undefined) return failure(405, 'InvalidInput', `Only ${here[0]?.method} is answered here.`);
      if (!limits.admits(request, 'usual')) throw new IntentRefused('RateLimited', 'Rate limit reached');
      const part = operation.path.exec(request.path)?.[1] ?? '';
      return { status: 200, body: await operation.answer(desk, request, part) };
    } catch (error) {
      const refused = asRefusal(error);
      if (refused !== error) log.warn(`intents: ${request.method} ${request.path} failed: ${error}`);
      return failure(refused.status, refused.code, refused.message);
    }
  };
}

function asRefusal(error: unknown): IntentRefused | MarketRefused {
  if (error instanceof IntentRefused || error instanceof MarketRefused) return error;
  if (isChainAway(error)) return new IntentRefused('ServiceUnavailable', 'The chain does not answer.', error);
  return new IntentRefused('InternalError', 'The service failed.', error);
}

/** `GET /v2/intent/orders/{orderId}` (PROTOCOL 14.4). @throws IntentRefused `NotFound` */
function readOrder({ store }: IntentDesk, orderId: string): IntentRecord {
  const row = store.byId(orderId);
  if (row === null) throw new IntentRefused('NotFound', 'Order not found');
  return recordOf(row);
}

/** `GET /v2/intent/orders` (PROTOCOL 14.4): a page of a user's orders, the newest first. @throws MarketRefused naming the parameter */
function listOrders({ store }: IntentDesk, query: Record<string, string>): IntentList {
  const asked = parseInput(intentListQuerySchema, query);
  const { userAddress, page, limit, chainId: chainIds, type, status: statuses, onChainOrderType: kind } = asked;
  const offset = (page - 1) * limit;
  const owner = userAddress.toLowerCase() as typeof userAddress;
  const { rows, total } = store.list({ owner, chainIds, type, statuses, kind, limit, offset });
  return { data: rows.map(recordOf), total, page, limit, hasMore: offset + rows.length < total };
}
