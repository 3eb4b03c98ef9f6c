import type { Database } from 'better-sqlite3';
import { quoteStateSchema } from '../../contract/quote-log.ts';
import { type ProjectionsOf, refuseRow, type Slice } from '../slice.ts';
import { QUOTE_EVENTS } from './events.ts';
import { endedState, foldEnd } from './fold.ts';
import { outcomeColumn, readLog } from './log.ts';
import { eventsBesideQuotes } from './other-events.ts';
import { countHours, hourOfQuote, pairHoursWithVolumes, readPairCounts } from './pair-hours.ts';
import { orderByHandCells, QUOTES_PROOF, quoteCells } from './proof.ts';
import { ABOUT_ORDERS_BY_HAND } from './prove-open.ts';
import { readQuotes } from './read.ts';
import { restateQuote } from './restate-quote.ts';
import { tellQuotes } from './tell.ts';
import { WITNESSED_ORDERS } from './witnessed.ts';

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

/** Quotes are looked for by their outcome: "filled" is what was filled, also where its last part never was. */
function quotesByOutcome(db: Database): void {
  db.exec(`
    DROP INDEX quotes_ended;
    CREATE INDEX quotes_by_outcome ON quotes (${outcomeColumn('')});`);
}

/** A start finds the orders signed by hand, and what ended them, without a walk through the journal. */
function ordersByHand(db: Database): void {
  db.exec(`CREATE INDEX journal_by_hand ON journal (kind) WHERE ${ABOUT_ORDERS_BY_HAND}`);
}

/** Firm requests and what the desk itself says of their end. */
function projectQuotes(db: Database): ProjectionsOf<typeof QUOTE_EVENTS> {
  const insert = db.prepare(`
    INSERT INTO quotes (seq, time, chain_id, pair, side, user_address, order_hash, expiry, code, state)
    VALUES (?, ?, ?, ?, ?, unhex(?), unhex(?), ?, ?, ?)`);
  const count = countHours(db);
  const withhold = db.prepare(`
    UPDATE quotes SET code = ? WHERE seq = ? AND chain_id = ? AND order_hash IS NOT NULL`);
  // The fold's own answers for an order in each state, so that none is read: there are thousands a second. One that the chain
  // ended keeps its state; the note that its time is over matters if that is taken back.
  const end = foldEnd(null, 'quotes_expired');
  const states = quoteStateSchema.options.map((state) => `WHEN '${state}' THEN '${endedState(state, end)}'`);
  const expire = db.prepare(`
    UPDATE quotes SET ended = '${end}', state = CASE state ${states.join(' ')} END
    WHERE seq = ? AND chain_id = ? AND ended IS NULL AND order_hash IS NOT NULL`);
  const restate = restateQuote(db);

  const endAll = ({ body }: { body: { chainId: number; quoteSeqs: number[] } }) => {
    for (const quoteSeq of body.quoteSeqs) expire.run(quoteSeq, body.chainId);
  };

  return {
    quote: (event) => {
      const { time, body } = event;
      insert.run(...quoteCells(event), body.orderHash === null ? 'refused' : 'live');
      count(hourOfQuote(time, body));
    },
    nft_order: (event) => {
      const { orderHash, expiry } = event.body;
      if (orderHash === null || expiry === null) refuseRow('An order by hand is written only once it is signed.');
      insert.run(...orderByHandCells(event), 'live');
    },
    quote_withheld: ({ body: { chainId, quoteSeq, code } }) => {
      if (withhold.run(code, quoteSeq, chainId).changes === 0) refuseRow(`Row ${quoteSeq} is not a signed quote.`);
      restate(quoteSeq, undefined, 'quote_withheld');
    },
    quotes_expired: endAll,
    chain_reset: endAll,
  };
}

/** The firm log and what is live. States of quotes are those of contract/quote-log.ts. */
export const QUOTES = {
  events: QUOTE_EVENTS,
  unchecked: ['quote'],
  tables: ['quotes', 'pair_hours'],
  counted: ['pair_hours'],
  migrations: {
    1: (db) => void db.exec(TABLES),
    2: pairHoursWithVolumes,
    6: quotesByOutcome,
    11: ordersByHand,
    12: eventsBesideQuotes,
  },
  project: projectQuotes,
  proof: QUOTES_PROOF,
  archived: [
    `j.kind = 'quote' AND EXISTS (SELECT 1 FROM quotes q WHERE q.seq = j.seq AND q.state NOT IN ('live', 'part_filled'))`,
  ],
  witnessed: WITNESSED_ORDERS,
  tell: tellQuotes,
  queries: (db: Database) => ({ ...readQuotes(db), ...readLog(db), ...readPairCounts(db) }),
} satisfies Slice;
