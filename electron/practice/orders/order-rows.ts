import type { Database } from 'better-sqlite3';
import type { Address, Hex } from '../../protocol/address.ts';
import type { OrderState, OrderType } from '../../protocol/order-record.ts';

/** An order as the file keeps it. */
export interface OrderRow {
  seq: number;
  chain_id: number;
  order_hash: Hex;
  nonce_and_meta: string;
  expiry: number;
  maker_asset: Address;
  taker_asset: Address;
  maker: Address;
  taker: Address;
  maker_amount: string;
  taker_amount: string;
  signature: Hex;
  taker_from_meta: Address;
  type: OrderType;
  state: OrderState;
  /** What no fill has taken of the maker amount, in 78 digits. */
  fillable: string;
  transaction_hash: Hex | null;
  created_at: number;
  updated_at: number;
}

export type OrderRows = ReturnType<typeof openOrderRows>;

/** Spelt the same everywhere, or SQLite does not use the indices that are of open orders only. */
export const OPEN = `state IN ('PENDING', 'SUSPENDED')`;

/** A raw amount in as many digits as 2^256 has, so that the text sorts as the number does. */
export function digitsOf(amount: bigint): string {
  return amount.toString().padStart(78, '0');
}

/** What is written and read of `orders`, as prepared statements. Times are Unix seconds. */
export function openOrderRows(db: Database) {
  return {
    insert: db.prepare<[Omit<OrderRow, 'seq'>]>(`
      INSERT INTO orders (chain_id, order_hash, nonce_and_meta, expiry, maker_asset, taker_asset, maker, taker,
        maker_amount, taker_amount, signature, taker_from_meta, type, state, fillable, transaction_hash, created_at,
        updated_at)
      VALUES (@chain_id, @order_hash, @nonce_and_meta, @expiry, @maker_asset, @taker_asset, @maker, @taker,
        @maker_amount, @taker_amount, @signature, @taker_from_meta, @type, @state, @fillable, @transaction_hash,
        @created_at, @updated_at)`),
    byHash: db.prepare<[hash: string], OrderRow>('SELECT * FROM orders WHERE order_hash = ?'),
    restate: db.prepare<
      [{ seq: number; state: OrderState; fillable: string; transaction_hash: Hex | null; updated_at: number }]
    >(`
      UPDATE orders SET state = @state, fillable = @fillable, transaction_hash = @transaction_hash,
        updated_at = @updated_at
      WHERE seq = @seq`),
    /** Everything above zero whose expiry second is over. */
    expire: db.prepare<[{ chain_id: number; seconds: number; updated_at: number }]>(`
      UPDATE orders SET state = 'EXPIRED', updated_at = @updated_at
      WHERE ${OPEN} AND chain_id = @chain_id AND expiry > 0 AND expiry < @seconds`),
    /** Both ways: what the cover is short of, and what it covers again. */
    suspend: db.prepare<[{ chain_id: number; maker: string; token: string; cover: string; updated_at: number }]>(`
      UPDATE orders SET state = CASE state WHEN 'PENDING' THEN 'SUSPENDED' ELSE 'PENDING' END, updated_at = @updated_at
      WHERE ${OPEN} AND chain_id = @chain_id AND maker = @maker AND maker_asset = @token
        AND (state = 'PENDING') = (fillable > @cover)`),
    openBackings: db.prepare<[chainId: number], { maker: Address; token: Address }>(`
      SELECT DISTINCT maker, maker_asset AS token FROM orders WHERE ${OPEN} AND chain_id = ?`),
    /** What the orders that can be filled out of one balance still want, oldest first. */
    pendingOfBacking: db.prepare<[chainId: number, maker: string, token: string], { seq: number; fillable: string }>(`
      SELECT seq, fillable FROM orders
      WHERE ${OPEN} AND state = 'PENDING' AND chain_id = ? AND maker = ? AND maker_asset = ? ORDER BY seq`),
    openOfMaker: db.prepare<[chainId: number, maker: string], { maker_asset: Address; fillable: string }>(`
      SELECT maker_asset, fillable FROM orders WHERE ${OPEN} AND chain_id = ? AND maker = ?`),
    expiredSince: db
      .prepare<[chainId: number, seconds: number], Hex>(`
      SELECT order_hash FROM orders WHERE state = 'EXPIRED' AND chain_id = ? AND expiry >= ?`)
      .pluck(),
  };
}
