import type { Hex } from '../protocol/address.ts';
import { compactSignature } from '../protocol/compact-signature.ts';
import { DeskError } from '../protocol/desk-error.ts';
import {
  cancelAnswerSchema,
  cancelBodySchema,
  cancelBuildAnswerSchema,
  type IntentBuildAnswer,
  type IntentBuildBody,
  type IntentSubmitBody,
  intentBuildAnswerSchema,
  intentBuildBodySchema,
  intentSubmitBodySchema,
  MOST_CANCELLED,
} from '../protocol/intent-build.ts';
import {
  ENDED_STATUSES,
  type IntentList,
  type IntentOrderRecord,
  intentListQuerySchema,
  intentListSchema,
  intentOrderRecordSchema,
} from '../protocol/intent-order-record.ts';
import { type Asked, toQuery } from '../protocol/query-fields.ts';
import type { ToSign } from '../protocol/typed-data.ts';
import { type AgreedOrder, checkBuiltCancellation, checkBuiltOrder } from './check-built-order.ts';
import { checkedAsk, nonsense, type ServiceConnection } from './service-connection.ts';

/** How long an order's record is kept: one that may still change, and one that has ended. */
const OPEN_KEPT_MS = 1_500;
const ENDED_KEPT_MS = 60_000;

/** The most that one page may hold (PROTOCOL 18), and pages that are looked through for one order. */
const PAGE = 1_000;
const MOST_PAGES = 50;

export type IntentListAsk = Asked<typeof intentListQuerySchema>;

const pathOf = (service: ServiceConnection, rest = '') => `/v2/${service.intent.segment}/orders${rest}`;

/**
 * `POST /v2/intent/orders/build` (PROTOCOL 14.4): typed data that is of what was asked, to be signed as it is. It is built, not placed. Throws ServiceFault, DeskError `bad_ask`, `built_otherwise`.
 */
export async function buildIntentOrder(
  service: ServiceConnection,
  body: IntentBuildBody,
  agreed: AgreedOrder,
): Promise<IntentBuildAnswer> {
  const asked = checkedAsk(intentBuildBodySchema, body);
  if (asked.slippage === undefined && asked.limitAmount === undefined && asked.maxSrcAmount === undefined) {
    throw new DeskError('bad_ask', 'An order needs a slippage or a limit: the service was not asked.');
  }
  const built = await service.post({ path: pathOf(service, '/build'), body, answer: intentBuildAnswerSchema });
  checkBuiltOrder(built, asked, agreed);
  return built;
}

/**
 * `POST /v2/intent/orders` (PROTOCOL 14.4): places a signed order; `order` is the `value` that was signed. Never sent a second time
 * by itself: after a ServiceFault whose `fate` is not `not_sent` or `refused`, `findIntentOrder` tells whether it is there. A
 * contract's signature goes `asItIs`: in another form its contract may not know it.
 */
export async function submitIntentOrder(
  service: ServiceConnection,
  body: IntentSubmitBody,
  asItIs = false,
): Promise<IntentOrderRecord> {
  const signature = asItIs ? body.signature : compacted(body.signature as Hex);
  const asked = checkedAsk(intentSubmitBodySchema, { ...body, signature });
  return service.post({ path: pathOf(service), body: asked, answer: intentOrderRecordSchema });
}

/** `GET /v2/intent/orders/{orderId}` (PROTOCOL 14.4). Throws ServiceFault, `unknown_order` when the service does not know it. */
export async function intentOrder(service: ServiceConnection, orderId: string): Promise<IntentOrderRecord> {
  const record = await service.get({
    path: pathOf(service, `/${encodeURIComponent(orderId)}`),
    answer: intentOrderRecordSchema,
    notFound: 'unknown_order',
    keptFor: ({ status }) => (ENDED_STATUSES.has(status) ? ENDED_KEPT_MS : OPEN_KEPT_MS),
  });
  if (record.id !== orderId) throw nonsense(`order ${record.id}, not ${orderId} as asked`);
  return record;
}

/** `GET /v2/intent/orders` (PROTOCOL 14.4): a page of a user's orders. */
export async function intentOrders(service: ServiceConnection, ask: IntentListAsk): Promise<IntentList> {
  const query = toQuery(ask);
  checkedAsk(intentListQuerySchema, query);
  return service.get({ path: pathOf(service), query, answer: intentListSchema });
}

/**
 * The owner's order of a chain with this hash, looked for on every page that the service has; null when it is on none. Throws
 * ServiceFault `service_nonsense` when the pages never end.
 */
export async function findIntentOrder(
  service: ServiceConnection,
  { owner, chainId, orderHash }: { owner: string; chainId: number; orderHash: Hex },
): Promise<IntentOrderRecord | null> {
  const wanted = orderHash.toLowerCase();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const asked = { userAddress: owner as Hex, chainId: [chainId], page, limit: PAGE };
    const { data, hasMore } = await intentOrders(service, asked);
    const found = data.find((record) => record.orderHash?.toLowerCase() === wanted);
    if (found !== undefined) return found;
    if (!hasMore) return null;
  }
  throw nonsense(`more than ${MOST_PAGES} pages of orders`);
}

/** `POST /v2/intent/orders/build/cancellation`: typed data by which the owner cancels these orders of a chain, at most 100 (PROTOCOL 18). */
export async function buildIntentCancellation(
  service: ServiceConnection,
  chainId: number,
  orderIds: string[],
): Promise<ToSign> {
  checkCount(orderIds);
  const path = pathOf(service, '/build/cancellation');
  const { toSign } = await service.post({ path, body: { orderIds }, answer: cancelBuildAnswerSchema });
  checkBuiltCancellation(toSign, chainId, orderIds);
  return toSign;
}

/**
 * `POST /v2/intent/orders/cancel` (PROTOCOL 14.4): asks for the end of these orders and gives the ids that are being cancelled. It
 * may be sent again: an order that is being cancelled, or was, is told by its status.
 */
export async function cancelIntentOrders(
  service: ServiceConnection,
  orderIds: string[],
  signature: Hex,
  asItIs = false,
): Promise<string[]> {
  checkCount(orderIds);
  const body = checkedAsk(cancelBodySchema, { orderIds, signature: asItIs ? signature : compacted(signature) });
  const answer = await service.post({ path: pathOf(service, '/cancel'), body, answer: cancelAnswerSchema });
  return 'cancelled' in answer ? answer.cancelled : orderIds;
}

function checkCount(orderIds: string[]): void {
  if (orderIds.length > 0 && orderIds.length <= MOST_CANCELLED) return;
  throw new DeskError('bad_ask', `One cancellation is of 1 to ${MOST_CANCELLED} orders, not of ${orderIds.length}.`);
}

/** A key's signature in its compact form. */
function compacted(signature: Hex): Hex {
  return signature.length === 132 ? compactSignature(signature) : signature;
}
