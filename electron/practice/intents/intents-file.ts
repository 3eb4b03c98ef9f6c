import type Database from 'better-sqlite3';
import { openStoreFile } from '../store-file.ts';

/** Each order is one JSON object; the columns that it is found by are taken out of it, so that nothing is kept twice. */
const SCHEMA = `
  CREATE TABLE chains (
    chain_id INTEGER PRIMARY KEY,
    contract TEXT NOT NULL
  ) STRICT;
  CREATE TABLE intents (
    seq INTEGER PRIMARY KEY,
    row TEXT NOT NULL CHECK (json_valid(row)),
    id TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'id') VIRTUAL,
    chain_id INTEGER NOT NULL GENERATED ALWAYS AS (row ->> 'chainId') VIRTUAL,
    order_hash TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'orderHash') VIRTUAL,
    owner TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'owner') VIRTUAL,
    status TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'status') VIRTUAL,
    type TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'type') VIRTUAL,
    kind TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'onChainOrderType') VIRTUAL
  ) STRICT;
  CREATE UNIQUE INDEX intents_by_id ON intents (id);
  CREATE UNIQUE INDEX intents_by_hash ON intents (chain_id, order_hash);
  CREATE INDEX intents_by_owner ON intents (owner, seq);
  CREATE INDEX intents_by_status ON intents (status, seq);
`;

/** True of an order whose end may still be taken back: see the relayer's notes. */
export const NOT_FINAL = "coalesce(row ->> '$.bridgeState.final', 0) = 0";

/**
 * Opens the file that keeps the intent orders, making it when it is missing. What was written before a kill -9 is there
 * after it.
 * @throws DeskError `intents_file` when it is of a later version, or of another program
 */
export function openIntentsFile(file: string): Database.Database {
  const db = openStoreFile(file, SCHEMA, { code: 'intents_file', what: 'intent orders' });
  // Of files from before orders were watched as well.
  db.exec(`CREATE INDEX IF NOT EXISTS intents_watched ON intents (seq) WHERE ${NOT_FINAL}`);
  return db;
}
