import type { Database } from 'better-sqlite3';
import { FILL_EVENTS } from '../events.ts';
import { inTurn, type Slice } from '../slice.ts';
import { readMarkedFills } from './marked.ts';
import { readPriceLines } from './price-lines.ts';
import { projectOrderEvents } from './project.ts';
import { projectPositions } from './project-positions.ts';
import { readFills } from './read.ts';
import { fillsTakenBack } from './schema-9.ts';
import { readTraded } from './traded.ts';

const TABLES = `
CREATE TABLE fills (
  seq INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  order_hash BLOB NOT NULL CHECK (length(order_hash) = 32),
  quote_seq INTEGER,
  pair TEXT,
  side TEXT,
  maker_amount TEXT NOT NULL,
  taker_amount TEXT NOT NULL,
  block INTEGER NOT NULL,
  block_hash TEXT NOT NULL,
  transaction_hash TEXT NOT NULL,
  log_index INTEGER NOT NULL,
  reverted INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX fills_once ON fills (transaction_hash, log_index, block_hash, chain_id) WHERE reverted = 0;
CREATE INDEX fills_by_quote ON fills (quote_seq);
CREATE INDEX fills_by_time ON fills (time);
CREATE INDEX fills_by_block ON fills (chain_id, block) WHERE reverted = 0;

CREATE TABLE cancels (
  seq INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  order_hash BLOB NOT NULL CHECK (length(order_hash) = 32),
  quote_seq INTEGER,
  block INTEGER NOT NULL,
  block_hash TEXT NOT NULL,
  transaction_hash TEXT NOT NULL,
  log_index INTEGER NOT NULL,
  reverted INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX cancels_once ON cancels (transaction_hash, log_index, block_hash, chain_id) WHERE reverted = 0;
CREATE INDEX cancels_by_quote ON cancels (quote_seq);
CREATE INDEX cancels_by_block ON cancels (chain_id, block) WHERE reverted = 0;
`;

/** What the chain says of our orders, and what that moved. The table of positions came with that of hedges. */
export const FILLS = {
  events: FILL_EVENTS,
  tables: ['fills', 'cancels', 'positions'],
  migrations: { 1: (db) => void db.exec(TABLES), 9: fillsTakenBack },
  project: (db) => inTurn(projectOrderEvents(db), projectPositions(db)),
  queries: (db: Database) => ({ ...readFills(db), ...readMarkedFills(db), ...readTraded(db), ...readPriceLines(db) }),
} satisfies Slice;
