import type { Database } from 'better-sqlite3';
import type { FillBody } from '../fills/events.ts';
import { moveByFill, positionTable } from '../fills/positions.ts';
import type { Recorded, Slice } from '../slice.ts';
import { HEDGE_EVENTS, type HedgeOpened } from './events.ts';
import { readHedgedFills } from './hedged-fills.ts';
import { projectHedges } from './project.ts';
import { readHedges } from './read.ts';
import { readReceipts } from './receipts.ts';
import { tellHedges } from './tell.ts';

const HEDGES_TABLES = `
-- Whether what a fill moved was hedged: 'unhedged', 'hedging', 'part_hedged' or 'hedged'.
ALTER TABLE fills ADD COLUMN cover TEXT NOT NULL DEFAULT 'unhedged';
CREATE INDEX fills_to_hedge ON fills (chain_id, pair, seq) WHERE cover <> 'hedged' AND reverted = 0 AND pair IS NOT NULL;

-- A hedge as its events tell it, by the row that opened it.
CREATE TABLE hedges (
  seq INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  pair TEXT,
  automatic INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX hedges_open ON hedges (seq) WHERE ended = 0;
CREATE INDEX hedges_automatic ON hedges (time) WHERE automatic = 1;

CREATE TABLE hedge_steps (
  seq INTEGER PRIMARY KEY,
  hedge_seq INTEGER NOT NULL
) STRICT;
CREATE INDEX hedge_steps_by_hedge ON hedge_steps (hedge_seq, seq);

-- What a hedge moved for each of its fills, raw units with sign; quote is NULL where the hedge ended in another token.
CREATE TABLE hedge_fills (
  hedge_seq INTEGER NOT NULL,
  fill_seq INTEGER NOT NULL,
  base TEXT NOT NULL,
  quote TEXT,
  PRIMARY KEY (hedge_seq, fill_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX hedge_fills_by_fill ON hedge_fills (fill_seq, hedge_seq);

-- What fills that stand and hedges moved of each token, raw units with sign.
CREATE TABLE positions (
  chain_id INTEGER NOT NULL,
  token TEXT NOT NULL,
  filled TEXT NOT NULL,
  hedged TEXT NOT NULL,
  PRIMARY KEY (chain_id, token)
) STRICT, WITHOUT ROWID;

-- since_seq: the row that switched it on; fills before it are not counted.
CREATE TABLE auto_hedges (
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  settings TEXT NOT NULL,
  since INTEGER,
  since_seq INTEGER,
  said TEXT,
  PRIMARY KEY (chain_id, pair)
) STRICT, WITHOUT ROWID;
`;

/** Hedges and positions; what was filled before counts into the positions. */
function hedgesAndPositions(db: Database): void {
  db.exec(HEDGES_TABLES);
  const move = positionTable(db);
  const fills = db.prepare<[number], { seq: number; body: string }>(`
    SELECT f.seq, j.body FROM fills f JOIN journal j ON j.seq = f.seq
    WHERE f.seq > ? AND f.reverted = 0 ORDER BY f.seq LIMIT 1000`);
  for (let chunk = fills.all(0); chunk.length > 0; chunk = fills.all(chunk.at(-1)?.seq ?? 0)) {
    for (const { body } of chunk) moveByFill(move, 1n, JSON.parse(body) as FillBody);
  }
}

const RECEIPTS_TABLE = `
-- Transactions of hedges that a reorganisation may still take back. block_hash is NULL of one that is on no block: its nonce was
-- used by another, or it was taken back itself; block is then the newest at that time. fee_wei is what was paid for it.
CREATE TABLE hedge_receipts (
  hedge_seq INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  purpose TEXT NOT NULL,
  block INTEGER NOT NULL,
  block_hash TEXT,
  fee_wei TEXT NOT NULL,
  PRIMARY KEY (hedge_seq, chain_id, hash, purpose)
) STRICT, WITHOUT ROWID;
`;

/** What was mined before counts as final. */
function hedgeReceipts(db: Database): void {
  db.exec(RECEIPTS_TABLE);
}

/** Hedges and what they cover. */
export const HEDGES = {
  events: HEDGE_EVENTS,
  tables: ['hedges', 'hedge_steps', 'hedge_fills', 'hedge_receipts', 'auto_hedges'],
  migrations: { 3: hedgesAndPositions, 4: hedgeReceipts },
  project: projectHedges,
  names: { hedge_opened: ({ body }: Recorded<'hedge_opened', HedgeOpened>) => body.fillSeqs },
  // What came back in other tokens is not in the record of a hedge that an earlier program wrote.
  compared: { hedges: (row: string) => row.replace(/,?\\"others\\":(\[[^\]]*\]|\{[^}]*\})/, '') },
  tell: tellHedges,
  queries: (db: Database) => ({ ...readHedges(db), ...readHedgedFills(db), ...readReceipts(db) }),
} satisfies Slice;
