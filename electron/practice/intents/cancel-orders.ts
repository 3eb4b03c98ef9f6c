import type { z } from 'zod';
import { cancelBodySchema, cancelBuildBodySchema, MOST_CANCELLED } from '../../protocol/intent-build.ts';
import { ORDER_CANCELLATIONS_TYPES } from '../../protocol/intent-order.ts';
import { CANCELLABLE_STATUSES } from '../../protocol/intent-order-record.ts';
import { type ToSign, typedDataHash } from '../../protocol/typed-data.ts';
import { parseInput } from '../service/route.ts';
import { WireRefused } from '../wire-refused.ts';
import { type IntentDesk, intentChain } from './intent-desk.ts';
import type { IntentRow } from './intent-store.ts';
import { intentDomain } from './kinds/kinds.ts';
import { isSigned } from './settle/intent-chain.ts';

/** `POST …/orders/build/cancellation`: what the owner of these orders signs. @throws WireRefused */
export function buildCancellation(desk: IntentDesk, body: unknown) {
  const { orderIds } = readCancellation(cancelBuildBodySchema, body);
  const toSign = cancellationOf(desk, orderIds, rowsOf(desk, orderIds));
  return { toSign, hash: typedDataHash(toSign) };
}

/**
 * `POST …/orders/cancel` (PROTOCOL 13, 14.4): all of the orders, or none. One whose auction is running goes on, and its cancellation
 * waits; one that is being cancelled is left at that. Gives the ids.
 * @throws WireRefused with the texts of PROTOCOL 17
 */
export async function cancelOrders(desk: IntentDesk, body: unknown): Promise<{ cancelled: string[] }> {
  const { orderIds, signature } = readCancellation(cancelBodySchema, body);
  const rows = rowsOf(desk, orderIds);
  const orderHash = typedDataHash(cancellationOf(desk, orderIds, rows));
  for (const { owner, chainId } of byOwner(rows)) {
    if (!(await isSigned(intentChain(desk, chainId), { owner, orderHash, signature }))) {
      throw new WireRefused('InvalidSignature', 'Invalid signature');
    }
  }
  // Read again: the relayer went on meanwhile.
  const now = rowsOf(desk, orderIds);
  if (!now.every(isCancellable)) throw new WireRefused('OrderAlreadySettled', 'Order already settled');
  for (const { id, auctionStartedAt, cancelAskedAt } of now) {
    if (auctionStartedAt === null) desk.store.update(id, { status: 'CANCELLING' });
    else desk.store.update(id, { cancelAskedAt: cancelAskedAt ?? desk.market.now() });
  }
  return { cancelled: orderIds };
}

function isCancellable({ status }: IntentRow): boolean {
  return status === 'CANCELLING' || CANCELLABLE_STATUSES.has(status);
}

function readCancellation<S extends typeof cancelBuildBodySchema>(schema: S, body: unknown): z.output<S> {
  const ids = typeof body === 'object' && body !== null && 'orderIds' in body ? body.orderIds : null;
  if (Array.isArray(ids) && ids.length > MOST_CANCELLED) {
    throw new WireRefused('TooManyOrders', `orderIds.length > ${MOST_CANCELLED}`);
  }
  const { data, error } = schema.safeParse(body);
  if (!error) return data;
  if (error.issues.every(({ path: [field] }) => field === 'signature')) {
    throw new WireRefused('InvalidSignature', 'Invalid signature');
  }
  return parseInput(schema, body);
}

function rowsOf({ store }: IntentDesk, orderIds: readonly string[]): IntentRow[] {
  return orderIds.map((id) => {
    const row = store.byId(id);
    if (row === null) throw new WireRefused('NotFound', 'Order not found');
    return row;
  });
}

/** Signed for the chain that the orders are of (PROTOCOL 15). */
function cancellationOf(desk: IntentDesk, orderIds: string[], rows: readonly IntentRow[]): ToSign {
  const [chainId = 0, ...others] = new Set(rows.map((row) => row.chainId));
  if (others.length > 0) throw new WireRefused('InvalidInput', 'orderIds must be of one chain');
  const { intents } = intentChain(desk, chainId).addresses;
  return { domain: intentDomain({ chainId, intents }), types: ORDER_CANCELLATIONS_TYPES, value: { orderIds } };
}

function byOwner(rows: readonly IntentRow[]): IntentRow[] {
  return [...new Map(rows.map((row) => [row.owner, row])).values()];
}
