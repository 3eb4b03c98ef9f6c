import type { Database, Statement } from 'better-sqlite3';
import type { EventBody, QuoteBody } from '../events.ts';
import { countHours, HOUR_MS, inQuoteToken } from './pair-hours.ts';

type Quote = {
  seq: number;
  time: number;
  chainId: number;
  pair: string;
  side: string | null;
  state: string;
  body: string;
};
type Fill = Omit<Quote, 'state'>;

const AT_ONCE = 1_000;

const TABLE = `
DROP TABLE quote_hours;

-- What came of a pair in an hour (Unix milliseconds / 3,600,000), so that a day is counted from few rows. Quotes by when
-- they were decided, fills that stand by their block. Volumes are raw units of quote_asset, which the pair had then.
CREATE TABLE pair_hours (
  hour INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  quote_asset BLOB NOT NULL CHECK (length(quote_asset) = 20),
  signed INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  filled INTEGER NOT NULL,
  signed_volume TEXT NOT NULL,
  filled_volume TEXT NOT NULL,
  PRIMARY KEY (hour, chain_id, pair, quote_asset)
) STRICT, WITHOUT ROWID;
`;

/** Hours of pairs count volumes and fills beside quotes; what was counted before is counted anew. */
export function pairHoursWithVolumes(db: Database): void {
  db.exec(TABLE);
  const add = countHours(db);
  const quotes = db.prepare<[number], Quote>(`
    SELECT q.seq, q.time, q.chain_id AS chainId, q.pair, q.side, q.state, j.body
    FROM quotes q JOIN journal j ON j.seq = q.seq WHERE q.seq > ? AND q.pair IS NOT NULL ORDER BY q.seq LIMIT ${AT_ONCE}`);
  for (const { time, chainId, pair, side, state, body } of inChunks(quotes)) {
    const { asset, amount } = inQuoteToken(side, JSON.parse(body) as QuoteBody);
    const counts = state === 'refused' ? { refused: 1 } : { signed: 1, signedVolume: amount };
    add({ hour: Math.floor(time / HOUR_MS), chainId, pair, asset, ...counts });
  }
  const fills = db.prepare<[number], Fill>(`
    SELECT f.seq, f.time, f.chain_id AS chainId, f.pair, f.side, j.body FROM fills f JOIN journal j ON j.seq = f.seq
    WHERE f.seq > ? AND f.pair IS NOT NULL AND f.reverted = 0 ORDER BY f.seq LIMIT ${AT_ONCE}`);
  for (const { time, chainId, pair, side, body } of inChunks(fills)) {
    const { asset, amount } = inQuoteToken(side, JSON.parse(body) as EventBody<'fill'>);
    add({ hour: Math.floor(time / HOUR_MS), chainId, pair, asset, filled: 1, filledVolume: amount });
  }
}

/** Nothing can be written while a query is walked, so the rows come in pieces. */
function* inChunks<T extends { seq: number }>(rows: Statement<[number], T>): Generator<T, void> {
  for (let chunk = rows.all(0); chunk.length > 0; chunk = rows.all(chunk.at(-1)?.seq ?? 0)) yield* chunk;
}
