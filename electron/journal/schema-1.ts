/**
 * The first schema. The journal is the truth; every other table in the first half is a projection of it and holds
 * only what is searched or changes later: the rest is read from the body of the row's event. The plain tables at the
 * end stand outside the chain. States of quotes are those of contract/quote-log.ts.
 */
export const SCHEMA_1 = `
CREATE TABLE journal (
  seq INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  previous BLOB NOT NULL CHECK (length(previous) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- Earliest and latest time of each 1,024 rows: turns a range of time into a range of rows, also when a clock stepped.
CREATE TABLE time_marks (
  block INTEGER PRIMARY KEY,
  earliest INTEGER NOT NULL,
  latest INTEGER NOT NULL
) STRICT;

CREATE TABLE desk (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  settings TEXT NOT NULL,
  fingerprints TEXT NOT NULL
) STRICT;

CREATE TABLE chains (
  chain_id INTEGER PRIMARY KEY,
  position INTEGER NOT NULL,
  config TEXT NOT NULL,
  limits TEXT NOT NULL,
  takers TEXT NOT NULL
) STRICT;

CREATE TABLE tokens (
  chain_id INTEGER NOT NULL,
  token_id TEXT NOT NULL,
  token TEXT NOT NULL,
  PRIMARY KEY (chain_id, token_id)
) STRICT;

CREATE TABLE pairs (
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  definition TEXT NOT NULL,
  retired_until INTEGER,
  PRIMARY KEY (chain_id, pair)
) STRICT;

CREATE TABLE ladder_revisions (
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  revision INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (chain_id, pair, revision)
) STRICT, WITHOUT ROWID;

-- chain_id 0, pair '' and side '' stand for all of them.
CREATE TABLE trading_states (
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  side TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  actor TEXT NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER,
  cause TEXT,
  PRIMARY KEY (chain_id, pair, side)
) STRICT, WITHOUT ROWID;

CREATE TABLE blacklist (
  chain_id INTEGER NOT NULL,
  address TEXT NOT NULL,
  reason TEXT,
  until INTEGER,
  since INTEGER NOT NULL,
  actor TEXT NOT NULL,
  PRIMARY KEY (chain_id, address)
) STRICT;

CREATE TABLE blacklist_history (
  chain_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  address TEXT NOT NULL,
  action TEXT NOT NULL,
  reason TEXT,
  until INTEGER,
  PRIMARY KEY (chain_id, seq, address, action)
) STRICT, WITHOUT ROWID;

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

-- Quotes by the hour they were decided in (Unix milliseconds / 3,600,000), so that counting a day reads few rows.
CREATE TABLE quote_hours (
  hour INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  signed INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  PRIMARY KEY (hour, chain_id, pair)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE drafts (
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  draft TEXT NOT NULL,
  PRIMARY KEY (chain_id, pair)
) STRICT;

CREATE TABLE reference_samples (
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  time INTEGER NOT NULL,
  mid TEXT NOT NULL,
  PRIMARY KEY (chain_id, pair, time)
) STRICT, WITHOUT ROWID;

CREATE TABLE heartbeats (
  chain_id INTEGER NOT NULL,
  endpoint TEXT NOT NULL,
  at INTEGER NOT NULL,
  by TEXT,
  status INTEGER NOT NULL,
  PRIMARY KEY (chain_id, endpoint)
) STRICT;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

`;

/** Every table that is projected from the journal, and can be emptied and built anew. */
export const PROJECTED_TABLES = [
  'time_marks',
  'desk',
  'chains',
  'tokens',
  'pairs',
  'ladder_revisions',
  'trading_states',
  'stops',
  'stop_words',
  'blacklist',
  'blacklist_history',
  'quotes',
  'pair_hours',
  'fills',
  'cancels',
  'hedges',
  'hedge_steps',
  'hedge_fills',
  'hedge_receipts',
  'positions',
  'auto_hedges',
  'alarms',
  'unproven_pasts',
] as const;
