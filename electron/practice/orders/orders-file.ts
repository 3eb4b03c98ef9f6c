import type Database from 'better-sqlite3';
import { openStoreFile } from '../store-file.ts';

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
export function openOrdersFile(file: string): Database.Database {
  return openStoreFile(file, SCHEMA, { code: 'orders_file', what: 'orders' });
}
