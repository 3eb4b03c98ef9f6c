import type { Database } from 'better-sqlite3';
import { bytesOf } from '../hex-bytes.ts';
import type { Projections } from '../projection.ts';
import { refuseRow } from '../slice.ts';
import { countHours, HOUR_MS, inQuoteToken } from './pair-hours.ts';
import { restateQuote } from './restate-quote.ts';

type QuoteKind = 'quote' | 'nft_order' | 'quote_withheld' | 'quotes_expired' | 'chain_reset';

/** Firm requests and what the desk itself says of their end. */
export function projectQuotes(db: Database): Pick<Projections, QuoteKind> {
  const insert = db.prepare(`
    INSERT INTO quotes (seq, time, chain_id, pair, side, user_address, order_hash, expiry, state, code)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const count = countHours(db);
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
    quote: ({ seq, time, body }) => {
      const { chainId, pair, side, userAddress, orderHash, expiry, code } = body;
      const state = orderHash === null ? 'refused' : 'live';
      const hash = orderHash === null ? null : bytesOf(orderHash);
      insert.run(seq, time, chainId, pair, side, bytesOf(userAddress), hash, expiry, state, code);
      if (pair === null) return;
      const { asset, amount } = inQuoteToken(side, body);
      const counts = orderHash === null ? { refused: 1 } : { signed: 1, signedVolume: amount };
      count({ hour: Math.floor(time / HOUR_MS), chainId, pair, asset, ...counts });
    },
    nft_order: ({ seq, time, body: { chainId, userAddress, orderHash, expiry } }) => {
      if (orderHash === null || expiry === null) refuseRow('An order by hand is written only once it is signed.');
      insert.run(seq, time, chainId, null, null, bytesOf(userAddress), bytesOf(orderHash), expiry, 'live', null);
    },
    quote_withheld: ({ body: { chainId, quoteSeq, code } }) => {
      if (withhold.run(code, quoteSeq, chainId).changes === 0) refuseRow(`Row ${quoteSeq} is not a signed quote.`);
      restate(quoteSeq);
    },
    quotes_expired: endAll,
    chain_reset: endAll,
  };
}
