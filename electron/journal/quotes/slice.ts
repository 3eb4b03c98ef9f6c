import type { Database } from 'better-sqlite3';
import { QUOTE_EVENTS } from '../events.ts';
import type { Slice } from '../slice.ts';
import { readLog } from './log.ts';
import { ordersByHand } from './orders-by-hand.ts';
import { readPairCounts } from './pair-counts.ts';
import { projectQuotes } from './project.ts';
import { readQuotes } from './read.ts';
import { pairHoursWithVolumes } from './schema-2.ts';
import { quotesByOutcome } from './schema-6.ts';
import { readQuoteStory } from './story.ts';

const TABLES = `
CREATE TABLE quotes (
  seq INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  pair TEXT,
  side TEXT,
  user_address BLOB NOT NULL CHECK (length(user_address) = 20),
  order_hash BLOB CHECK (length(order_hash) = 32),
  -- Unix seconds.
  expiry INTEGER,
  state TEXT NOT NULL,
  code TEXT,
  -- 'withheld' or 'expired' once the desk said so; a fill, a cancel or one taken back is weighed against it.
  ended TEXT,
  -- NULL is nothing.
  filled_maker_amount TEXT,
  filled_taker_amount TEXT,
  CHECK ((order_hash IS NULL) = (state = 'refused')),
  CHECK ((order_hash IS NULL) = (expiry IS NULL)),
  CHECK (state <> 'refused' OR code IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX quotes_by_hash ON quotes (order_hash, chain_id) WHERE order_hash IS NOT NULL;
CREATE INDEX quotes_by_user ON quotes (user_address);
CREATE INDEX quotes_by_pair ON quotes (pair) WHERE pair IS NOT NULL;
CREATE INDEX quotes_by_code ON quotes (code) WHERE code IS NOT NULL;
CREATE INDEX quotes_open ON quotes (state) WHERE state IN ('live', 'part_filled');
CREATE INDEX quotes_ended ON quotes (state) WHERE state NOT IN ('live', 'part_filled');

-- Quotes by the hour they were decided in; the second schema counts more.
CREATE TABLE quote_hours (
  hour INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  signed INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  PRIMARY KEY (hour, chain_id, pair)
) STRICT, WITHOUT ROWID;
`;

/** The firm log and what is live. States of quotes are those of contract/quote-log.ts. */
export const QUOTES = {
  events: QUOTE_EVENTS,
  unchecked: ['quote'],
  tables: ['quotes', 'pair_hours'],
  migrations: { 1: (db) => void db.exec(TABLES), 2: pairHoursWithVolumes, 6: quotesByOutcome, 11: ordersByHand },
  project: projectQuotes,
  queries: (db: Database) => ({ ...readQuotes(db), ...readLog(db), ...readPairCounts(db), ...readQuoteStory(db) }),
} satisfies Slice;
