import { z } from 'zod';
import { type Address, ZERO_ADDRESS } from '../../protocol/address.ts';
import { type OrderRecord, type OrderType, orderTypeSchema } from '../../protocol/order-record.ts';
import { WireRefused } from '../wire-refused.ts';
import { chainOf, type OrderDesk, refreshBehind } from './accept-order.ts';
import { firstFault } from './order-input.ts';
import { recordsOf, sharesOf } from './order-records.ts';
import { OPEN, type OrderRow } from './orders-file.ts';

const count = (most: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= most, `must be at most ${most}`);

const querySchema = z.object({
  type: orderTypeSchema.optional(),
  limit: count(1_000)
    .refine((value) => value > 0, 'must be above zero')
    .default(100),
  offset: count(999_999_999).default(0),
  orderBy: z.enum(['createdAt', 'updatedAt', 'expiry']).default('createdAt'),
  hideSmallBalances: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
});
export type ListQuery = z.output<typeof querySchema>;

/** @throws WireRefused `InvalidInput`, naming the parameter */
export function parseListQuery(query: URLSearchParams): ListQuery {
  const parsed = querySchema.safeParse(Object.fromEntries(query));
  if (parsed.success) return parsed.data;
  throw new WireRefused('InvalidInput', `The query is not valid: ${firstFault(parsed.error)}.`);
}

export interface OrderPage {
  orders: OrderRecord[];
  limit: number;
  offset: number;
  /** How many orders there are on all pages. */
  total: number;
  hasMore: boolean;
}

const COLUMNS = { createdAt: 'created_at', updatedAt: 'updated_at', expiry: 'expiry' } as const;

/**
 * Whose orders a list holds. A taker's have not ended; they are those that name the account in `nonceAndMeta` or as `taker`, and of the open orders
 * also those that name nobody.
 */
const WHOSE = {
  maker: 'maker = @account',
  taker: `${OPEN} AND (taker_from_meta = @account OR taker = @account
    OR (type = 'LIMIT' AND taker_from_meta = @nobody AND taker = @nobody))`,
} as const;
export type ListRole = keyof typeof WHOSE;

/** Whose orders, and of which kind. */
export interface ListedOrders {
  chainId: number;
  role: ListRole;
  account: Address;
  type: OrderType;
}

/** An order of which less than this part of its maker amount can be filled right now has a small balance. */
const SMALL_PART = 100n;

/** A page as it is now: expired orders have expired, and balances behind orders that are not open were read as well. */
export async function readList(desk: OrderDesk, which: ListedOrders, query: ListQuery): Promise<OrderPage> {
  await chainOf(desk, which.chainId).follower.freshen();
  await refreshBehind(desk, rowsOf(desk, which, query).rows);
  desk.ledger.expire(which.chainId);
  const { rows: shown, total } = rowsOf(desk, which, query);
  const { limit, offset } = query;
  const hasMore = shown.length > 0 && offset + shown.length < total;
  return { orders: recordsOf(desk.ledger, shown), limit, offset, total, hasMore };
}

/**
 * One page of the orders of a maker, or of those a taker can fill, the latest first (PROTOCOL 4.2). `hideSmallBalances` leaves out
 * those of which less than a hundredth can be filled right now, so every one that is not pending.
 */
function rowsOf(
  { db, ledger }: OrderDesk,
  { chainId, role, account, type }: ListedOrders,
  { limit, offset, orderBy, hideSmallBalances }: ListQuery,
): { rows: OrderRow[]; total: number } {
  const where = `chain_id = @chainId AND type = @type AND ${WHOSE[role]}`;
  const values = { chainId, account, type, nobody: ZERO_ADDRESS };
  const order = `ORDER BY ${COLUMNS[orderBy]} DESC, seq DESC`;
  if (hideSmallBalances) {
    const open = db.prepare<[object], OrderRow>(`SELECT * FROM orders WHERE ${where} AND ${OPEN} ${order}`).all(values);
    const shares = sharesOf(ledger, open);
    const shown = open.filter(({ seq, maker_amount }) => {
      const swappable = shares.get(seq)?.swappableBalance ?? 0n;
      return swappable > 0n && swappable * SMALL_PART >= BigInt(maker_amount);
    });
    return { rows: shown.slice(offset, offset + limit), total: shown.length };
  }
  const total = db.prepare<[object], number>(`SELECT count(*) FROM orders WHERE ${where}`).pluck().get(values) ?? 0;
  const rows = db
    .prepare<[object], OrderRow>(`SELECT * FROM orders WHERE ${where} ${order} LIMIT @limit OFFSET @offset`)
    .all({ ...values, limit, offset });
  return { rows, total };
}
