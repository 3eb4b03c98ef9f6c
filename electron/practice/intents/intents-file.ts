import Database from 'better-sqlite3';
import { DeskError } from '../../protocol/desk-error.ts';

const SCHEMA_VERSION = 1;

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

/**
 * Opens the file that keeps the intent orders, making it when it is missing. What was written before a kill -9 is there
 * after it.
 * @throws DeskError `intents_file` when it is of a later version, or of another program
 */
export function openIntentsFile(file: string): Database.Database {
  const db = new Database(file, { timeout: 5_000 });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.transaction(() => {
      const version = db.pragma('user_version', { simple: true });
      if (version === SCHEMA_VERSION) return;
      const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
      if (version !== 0 || tables !== 0) throw new Error(`schema ${version}, ${tables} tables`);
      db.exec(SCHEMA);
      db.pragma(`user_version = ${SCHEMA_VERSION}`);
    })();
    return db;
  } catch (cause) {
    db.close();
    throw new DeskError('intents_file', `The practice market's intent orders in ${file} cannot be read.`, {
      remedy: 'Choose another folder with --data, or remove this file to begin without intent orders.',
      cause,
    });
  }
}
