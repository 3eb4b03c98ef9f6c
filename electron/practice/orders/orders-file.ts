import type { Database } from 'better-sqlite3';
import type { Address, Hex } from '../../protocol/address.ts';
import type { OrderState, OrderType } from '../../protocol/order-record.ts';
import { openStoreFile } from '../store-file.ts';
import type { Backing } from './read-covers.ts';

/**
 * `orders` holds each stored order with what is known of it; `fillable` is written with 78 digits, so that text compares
 * as numbers do. `events` are all fills and cancels of the settlement contracts, of stored orders or not, since an order
 * may be stored after its first fill. `blocks` are those of the branch the events are from, `covers` the lesser of each
 * maker's balance and allowance.
 */
const SCHEMA = `
  CREATE TABLE chains (
    chain_id INTEGER PRIMARY KEY,
    separator TEXT NOT NULL,
    seconds INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE blocks (
    chain_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (chain_id, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE events (
    chain_id INTEGER NOT NULL,
    block INTEGER NOT NULL,
    log_index INTEGER NOT NULL,
    order_hash TEXT NOT NULL,
    maker TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('fill', 'cancel')),
    maker_amount TEXT NOT NULL,
    transaction_hash TEXT NOT NULL,
    PRIMARY KEY (chain_id, block, log_index)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX events_of_order ON events (order_hash, maker);
  CREATE TABLE covers (
    chain_id INTEGER NOT NULL,
    maker TEXT NOT NULL,
    token TEXT NOT NULL,
    amount TEXT NOT NULL,
    PRIMARY KEY (chain_id, maker, token)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE orders (
    seq INTEGER PRIMARY KEY,
    chain_id INTEGER NOT NULL,
    order_hash TEXT NOT NULL UNIQUE,
    nonce_and_meta TEXT NOT NULL,
    expiry INTEGER NOT NULL,
    maker_asset TEXT NOT NULL,
    taker_asset TEXT NOT NULL,
    maker TEXT NOT NULL,
    taker TEXT NOT NULL,
    maker_amount TEXT NOT NULL,
    taker_amount TEXT NOT NULL,
    signature TEXT NOT NULL,
    taker_from_meta TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('P2P', 'LIMIT')),
    state TEXT NOT NULL CHECK (state IN ('PENDING', 'FULFILLED', 'CANCELLED', 'SUSPENDED', 'EXPIRED')),
    fillable TEXT NOT NULL,
    transaction_hash TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX open_orders ON orders (chain_id, maker, maker_asset, seq, fillable)
    WHERE state IN ('PENDING', 'SUSPENDED');
  CREATE INDEX open_expiries ON orders (chain_id, expiry) WHERE state IN ('PENDING', 'SUSPENDED');
  CREATE INDEX by_maker ON orders (chain_id, maker, created_at, seq);
  CREATE INDEX by_named_taker ON orders (chain_id, taker_from_meta, created_at, seq);
  CREATE INDEX by_taker ON orders (chain_id, taker, created_at, seq);
`;

/**
 * Opens the file that keeps the orders, making it when it is missing. What was written before a kill -9 is there after it.
 * @throws DeskError `orders_file` when it is of a later version, or of another program
 */
export function openOrdersFile(file: string): Database {
  return openStoreFile(file, SCHEMA, { code: 'orders_file', what: 'orders' });
}

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

/** A fill or a cancel, and where on the chain it stands. */
export interface OrderEvent {
  block: number;
  logIndex: number;
  orderHash: Hex;
  maker: Address;
  kind: 'fill' | 'cancel';
  /** What this fill took of the maker asset, in raw units; zero for a cancel. */
  makerAmount: bigint;
  transactionHash: Hex;
}

export interface KnownBlock {
  number: number;
  hash: Hex;
}

/** More than a reorganisation may take back (64); what goes deeper is read again from the first block. */
const REMEMBERED_BLOCKS = 128;

export type ChainRows = ReturnType<typeof openChainRows>;

/** What is written and read of `chains`, `blocks`, `events` and `covers`. */
export function openChainRows(db: Database) {
  const blocks = db.prepare<[number], KnownBlock>('SELECT number, hash FROM blocks WHERE chain_id = ? ORDER BY number');
  const putBlock = db.prepare('INSERT OR REPLACE INTO blocks (chain_id, number, hash) VALUES (?, ?, ?)');
  const dropOldBlocks = db.prepare('DELETE FROM blocks WHERE chain_id = ? AND number < ?');
  const dropBlocksAbove = db.prepare('DELETE FROM blocks WHERE chain_id = ? AND number > ?');
  const dropEventsAbove = db
    .prepare<[number, number], Hex>('DELETE FROM events WHERE chain_id = ? AND block > ? RETURNING order_hash')
    .pluck();
  const putEvent = db.prepare('INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const eventsOf = db.prepare<
    [hash: string, maker: string],
    { kind: 'fill' | 'cancel'; maker_amount: string; transaction_hash: Hex }
  >(
    `SELECT kind, maker_amount, transaction_hash FROM events WHERE order_hash = ? AND maker = ? ORDER BY block, log_index`,
  );
  const cover = db
    .prepare<[number, string, string], string>(
      'SELECT amount FROM covers WHERE chain_id = ? AND maker = ? AND token = ?',
    )
    .pluck();
  const putCover = db.prepare('INSERT OR REPLACE INTO covers VALUES (?, ?, ?, ?)');
  const seconds = db.prepare<[number], number>('SELECT seconds FROM chains WHERE chain_id = ?').pluck();
  const putSeconds = db.prepare('UPDATE chains SET seconds = ? WHERE chain_id = ?');
  return {
    /** Ascending; the last one is the newest block whose events are here. */
    blocks: (chainId: number) => blocks.all(chainId),
    putBlocks(chainId: number, added: readonly KnownBlock[]) {
      for (const { number, hash } of added) putBlock.run(chainId, number, hash);
      dropOldBlocks.run(chainId, (added.at(-1)?.number ?? 0) - REMEMBERED_BLOCKS);
    },
    /** Takes back what stands above a block; gives the orders it was about. */
    dropAbove(chainId: number, number: number): Hex[] {
      dropBlocksAbove.run(chainId, number);
      return dropEventsAbove.all(chainId, number);
    },
    putEvent(chainId: number, event: OrderEvent) {
      const { block, logIndex, orderHash, maker, kind, makerAmount, transactionHash } = event;
      putEvent.run(chainId, block, logIndex, orderHash, maker, kind, `${makerAmount}`, transactionHash);
    },
    /** In the order of the chain. Only the maker's own cancel counts: anybody can emit one of the hash as himself. */
    eventsOf: (orderHash: Hex, maker: Address) => eventsOf.all(orderHash, maker),
    /** Zero while nothing was read of it. */
    cover: (chainId: number, { maker, token }: Backing) => BigInt(cover.get(chainId, maker, token) ?? 0),
    putCover: (chainId: number, { maker, token }: Backing, amount: bigint) =>
      putCover.run(chainId, maker, token, `${amount}`),
    /** Time of the newest block read, in Unix seconds. */
    seconds: (chainId: number) => seconds.get(chainId) ?? 0,
    putSeconds: (chainId: number, value: number) => putSeconds.run(value, chainId),
  };
}
