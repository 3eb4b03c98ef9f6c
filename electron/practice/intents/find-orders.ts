import type { IntentList } from '../../protocol/intent-order-record.ts';
import { intentListQuerySchema } from '../../protocol/intent-order-record.ts';
import { parseInput } from '../router/parse-input.ts';
import type { IntentDesk } from './intent-desk.ts';
import { IntentRefused } from './intent-refused.ts';
import { type IntentRecord, recordOf } from './submit-order.ts';

/** `GET /v2/intent/orders/{orderId}` (PROTOCOL 14.4). @throws IntentRefused `NotFound` */
export function readOrder({ store }: IntentDesk, orderId: string): IntentRecord {
  const row = store.byId(orderId);
  if (row === null) throw new IntentRefused('NotFound', 'Order not found');
  return recordOf(row);
}

/** `GET /v2/intent/orders` (PROTOCOL 14.4): a page of a user's orders, the newest first. @throws MarketRefused naming the parameter */
export function listOrders({ store }: IntentDesk, query: Record<string, string>): IntentList {
  const asked = parseInput(intentListQuerySchema, query);
  const { userAddress, page, limit, chainId: chainIds, type, status: statuses, onChainOrderType: kind } = asked;
  const offset = (page - 1) * limit;
  const owner = userAddress.toLowerCase() as typeof userAddress;
  const { rows, total } = store.list({ owner, chainIds, type, statuses, kind, limit, offset });
  return { data: rows.map(recordOf), total, page, limit, hasMore: offset + rows.length < total };
}
