import { z } from 'zod';
import { type IntentList, intentListQuerySchema } from '../../protocol/intent-order-record.ts';
import { intentPricesQuerySchema } from '../../protocol/intent-wire.ts';
import { queryIntSchema } from '../../protocol/query-fields.ts';
import { spelledAddressSchema } from '../../protocol/route-token.ts';
import type { PracticeLog } from '../practice-log.ts';
import { answerOperations, type Operation } from '../service/operations.ts';
import type { RateLimits } from '../service/rate-limits.ts';
import { parseInput, parseJson, queryObject, type RouteHandler } from '../service/route.ts';
import { WireRefused } from '../wire-refused.ts';
import { bridgeRoutes } from './bridge-lanes.ts';
import { buildOrder } from './build-order.ts';
import { buildCancellation, cancelOrders } from './cancel-orders.ts';
import { combinedQuote } from './combined-quote.ts';
import { type IntentDesk, intentChain, isTokenSupported } from './intent-desk.ts';
import { priceIntent } from './price-intent.ts';
import { type IntentRecord, recordOf, submitOrder } from './submit-order.ts';

const supportQuerySchema = z.object({ chainId: queryIntSchema, token: spelledAddressSchema });

/** The operations of PROTOCOL 14.3 and 14.4, the intent product under its segment. The first path that fits counts. */
function operationsOf(desk: IntentDesk): Operation[] {
  const at = (path: string) => new RegExp(`^/v2/${desk.names.segment}${path}$`);
  const operations: Omit<Operation, 'counted'>[] = [
    {
      method: 'GET',
      path: /^\/v2\/quote$/,
      answer: ({ query }) => combinedQuote(desk, queryObject(query)),
    },
    {
      method: 'GET',
      path: at('/prices'),
      answer: ({ query }) => priceIntent(desk, parseInput(intentPricesQuerySchema, queryObject(query))),
    },
    { method: 'GET', path: at('/prices/bridge-routes'), answer: () => bridgeRoutes(desk) },
    {
      method: 'GET',
      path: at('/prices/is-token-supported'),
      answer({ query }) {
        const { chainId, token } = parseInput(supportQuerySchema, queryObject(query));
        return { supported: isTokenSupported(intentChain(desk, chainId), token) };
      },
    },
    {
      method: 'POST',
      path: at('/orders/build/cancellation'),
      answer: ({ body }) => buildCancellation(desk, parseJson(body)),
    },
    {
      method: 'POST',
      path: at('/orders/build'),
      answer: ({ body }) => buildOrder(desk, parseJson(body)),
    },
    {
      method: 'POST',
      path: at('/orders/cancel'),
      answer: ({ body }) => cancelOrders(desk, parseJson(body)),
    },
    { method: 'POST', path: at('/orders'), answer: ({ body }) => submitOrder(desk, parseJson(body)) },
    {
      method: 'GET',
      path: at('/orders'),
      answer: ({ query }) => listOrders(desk, queryObject(query)),
    },
    {
      method: 'GET',
      path: at('/orders/([^/]+)'),
      answer: (_, [id = '']) => readOrder(desk, id),
    },
  ];
  return operations.map((operation) => ({ ...operation, counted: 'usual' }));
}

/** Answers the operations of PROTOCOL 14.3 and 14.4; null for any other path. Never rejects. */
export function intentRoute(
  desk: IntentDesk,
  { limits, log }: { limits: Pick<RateLimits, 'admits'>; log: PracticeLog },
): RouteHandler {
  return answerOperations(operationsOf(desk), { name: 'intents', limits, log });
}

/** `GET /v2/intent/orders/{orderId}` (PROTOCOL 14.4). @throws WireRefused `NotFound` */
function readOrder({ store }: IntentDesk, orderId: string): IntentRecord {
  const row = store.byId(orderId);
  if (row === null) throw new WireRefused('NotFound', 'Order not found');
  return recordOf(row);
}

/** `GET /v2/intent/orders` (PROTOCOL 14.4): a page of a user's orders, the newest first. @throws WireRefused naming the parameter */
function listOrders({ store }: IntentDesk, query: Record<string, string>): IntentList {
  const asked = parseInput(intentListQuerySchema, query);
  const { userAddress, page, limit, chainId: chainIds, type, status: statuses, onChainOrderType: kind } = asked;
  const offset = (page - 1) * limit;
  const owner = userAddress.toLowerCase() as typeof userAddress;
  const { rows, total } = store.list({ owner, chainIds, type, statuses, kind, limit, offset });
  return { data: rows.map(recordOf), total, page, limit, hasMore: offset + rows.length < total };
}
