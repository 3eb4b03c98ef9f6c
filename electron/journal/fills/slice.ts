import type { Database } from 'better-sqlite3';
import { bytesOf } from '../hex-bytes.ts';
import { countHours, hourOfFill } from '../quotes/pair-hours.ts';
import { restateQuote } from '../quotes/restate-quote.ts';
import { inTurn, type ProjectionsOf, refuseRow, type Slice } from '../slice.ts';
import { FILL_EVENTS, type FillBody } from './events.ts';
import { readMarkedFills } from './marks.ts';
import { projectPositions } from './positions.ts';
import { readPriceLines } from './price-lines.ts';
import { cancelCells, FILLS_PROOF, fillCells } from './proof.ts';
import { readFills } from './read.ts';
import { tellFills } from './tell.ts';
import { readTraded } from './traded.ts';
import { readMissingOrders } from './unproven-past.ts';

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

type OurQuote = { seq: number; pair: string | null; side: string | null };
type Filled = { pair: string | null; side: string | null; body: string };

/**
 * What the chain says of our orders. A unique index refuses the same log entry of the same block twice, unless a
 * reorganisation took it back in between. Entries for orders this journal does not know are kept without a quote.
 */
function projectOrderEvents(db: Database): Omit<ProjectionsOf<typeof FILL_EVENTS>, 'drift'> {
  const quote = db.prepare<[Buffer, number], OurQuote>(
    'SELECT seq, pair, side FROM quotes WHERE order_hash = ? AND chain_id = ?',
  );
  const insertFill = db.prepare(`
    INSERT INTO fills (seq, time, chain_id, order_hash, block, block_hash, transaction_hash, log_index,
      maker_amount, taker_amount, quote_seq, pair, side)
    VALUES (?, ?, ?, unhex(?), ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertCancel = db.prepare(`
    INSERT INTO cancels (seq, time, chain_id, order_hash, block, block_hash, transaction_hash, log_index, quote_seq)
    VALUES (?, ?, ?, unhex(?), ?, ?, ?, ?, ?)`);
  const takeBack = (['fills', 'cancels'] as const).map((table) =>
    db
      .prepare<[number, number], number | null>(
        `UPDATE ${table} SET reverted = 1 WHERE seq = ? AND chain_id = ? AND reverted = 0 RETURNING quote_seq`,
      )
      .pluck(),
  );
  const filled = db.prepare<[number], Filled>(
    'SELECT f.pair, f.side, j.body FROM fills f JOIN journal j ON j.seq = f.seq WHERE f.seq = ?',
  );
  const count = countHours(db);
  const restate = restateQuote(db);

  return {
    fill: (event) => {
      const { body } = event;
      const ours = quote.get(bytesOf(body.orderHash), body.chainId);
      insertFill.run(...fillCells(event), ours?.seq ?? null, ours?.pair ?? null, ours?.side ?? null);
      if (ours === undefined) return;
      count(hourOfFill(1, ours, body));
      restate(ours.seq, { maker: BigInt(body.makerAmount), taker: BigInt(body.takerAmount) });
    },
    cancel: (event) => {
      const ours = quote.get(bytesOf(event.body.orderHash), event.body.chainId);
      insertCancel.run(...cancelCells(event), ours?.seq ?? null);
      if (ours !== undefined) restate(ours.seq);
    },
    reverted: ({ body }) => {
      for (const statement of takeBack) {
        const quoteSeq = statement.get(body.eventSeq, body.chainId);
        if (quoteSeq === undefined) continue;
        const fill = filled.get(body.eventSeq);
        const gone: FillBody | null = fill === undefined ? null : JSON.parse(fill.body);
        if (fill !== undefined && gone !== null) count(hourOfFill(-1, fill, gone));
        if (quoteSeq === null) return;
        restate(quoteSeq, { maker: -BigInt(gone?.makerAmount ?? 0), taker: -BigInt(gone?.takerAmount ?? 0) });
        return;
      }
      refuseRow(`Row ${body.eventSeq} is not a fill or cancel that stands on chain ${body.chainId}.`);
    },
  };
}

/** A new fill looks for hedges of the same quote's fills that were taken back, and reads none of those that stand. */
function fillsTakenBack(db: Database): void {
  db.exec("CREATE INDEX fills_taken_back ON fills (quote_seq) WHERE reverted = 1 AND cover <> 'taken_back'");
}

/** What the chain says of our orders, and what that moved. The table of positions came with that of hedges. */
export const FILLS = {
  events: FILL_EVENTS,
  tables: ['fills', 'cancels', 'positions'],
  migrations: { 1: (db) => void db.exec(TABLES), 9: fillsTakenBack },
  project: (db) => inTurn(projectOrderEvents(db), projectPositions(db)),
  proof: FILLS_PROOF,
  tell: tellFills,
  queries: (db: Database) => ({
    ...readFills(db),
    ...readMarkedFills(db),
    ...readTraded(db),
    ...readPriceLines(db),
    ...readMissingOrders(db),
  }),
} satisfies Slice;
