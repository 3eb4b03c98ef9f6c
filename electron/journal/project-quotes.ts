import type { Database } from 'better-sqlite3';
import { bytesOf } from './hex-bytes.ts';
import { type Projections, refuseRow } from './projection.ts';
import { restateQuote } from './restate-quote.ts';

/** The hours by which quotes are counted. */
export const HOUR_MS = 3_600_000;

type QuoteKind = 'quote' | 'quote_withheld' | 'quotes_expired' | 'chain_reset';

/** Firm requests and what the desk itself says of their end. */
export function projectQuotes(db: Database): Pick<Projections, QuoteKind> {
  const insert = db.prepare(`
    INSERT INTO quotes (seq, time, chain_id, pair, side, user_address, order_hash, expiry, state, code)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const count = db.prepare(`
    INSERT INTO quote_hours (hour, chain_id, pair, signed, refused) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (hour, chain_id, pair) DO UPDATE
    SET signed = signed + excluded.signed, refused = refused + excluded.refused`);
  const withhold = db.prepare(`
    UPDATE quotes SET ended = 'withheld', code = ? WHERE seq = ? AND chain_id = ? AND order_hash IS NOT NULL`);
  // An order that has ended otherwise keeps its state; the note that its time is over matters if that is taken back.
  const expire = db.prepare(`
    UPDATE quotes
    SET ended = 'expired', state = CASE WHEN state IN ('live', 'part_filled') THEN 'expired' ELSE state END
    WHERE seq = ? AND chain_id = ? AND ended IS NULL AND order_hash IS NOT NULL`);
  const restate = restateQuote(db);

  const endAll = ({ body }: { body: { chainId: number; quoteSeqs: number[] } }) => {
    for (const quoteSeq of body.quoteSeqs) expire.run(quoteSeq, body.chainId);
  };

  return {
    quote: ({ seq, time, body: { chainId, pair, side, userAddress, orderHash, expiry, code } }) => {
      const state = orderHash === null ? 'refused' : 'live';
      const hash = orderHash === null ? null : bytesOf(orderHash);
      insert.run(seq, time, chainId, pair, side, bytesOf(userAddress), hash, expiry, state, code);
      if (pair === null) return;
      count.run(Math.floor(time / HOUR_MS), chainId, pair, orderHash === null ? 0 : 1, orderHash === null ? 1 : 0);
    },
    quote_withheld: ({ body: { chainId, quoteSeq, code } }) => {
      if (withhold.run(code, quoteSeq, chainId).changes === 0) refuseRow(`Row ${quoteSeq} is not a signed quote.`);
      restate(quoteSeq);
    },
    quotes_expired: endAll,
    chain_reset: endAll,
  };
}
