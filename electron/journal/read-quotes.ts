import type { Database } from 'better-sqlite3';
import type { QuoteDetail } from '../contract/quote-log.ts';
import type { QuoteBody } from './events.ts';
import { bytesOf } from './hex-bytes.ts';
import { listedTokens } from './listed-tokens.ts';
import { HOUR_MS } from './project-quotes.ts';
import { QUOTE_COLUMNS, type StoredQuote, toQuoteDetail } from './quote-rows.ts';
import type { OpenQuote, PairCounts } from './stored.ts';
import { rowsBetween } from './time-marks.ts';

type DetailRow = StoredQuote & { hash: string };
type OpenRow = { seq: number; filled: string | null; body: string };
type Place = { chainId: number; pair: string };
type Counted = Place & { signed: number; refused: number };
type Filled = Place & { filled: number };

/** Single quotes, the open ones, and counts. */
export function readQuotes(db: Database) {
  const detail = `SELECT ${QUOTE_COLUMNS}, lower(hex(j.hash)) AS hash FROM quotes q JOIN journal j ON j.seq = q.seq`;
  const bySeq = db.prepare<[number], DetailRow>(`${detail} WHERE q.seq = ?`);
  const byHash = db.prepare<[Buffer, number], DetailRow>(`${detail} WHERE q.order_hash = ? AND q.chain_id = ?`);
  const open = db.prepare<[number], OpenRow>(`
    SELECT q.seq, q.filled_maker_amount AS filled, j.body
    FROM quotes q INDEXED BY quotes_open JOIN journal j ON j.seq = q.seq
    WHERE q.state IN ('live', 'part_filled') AND (q.expiry >= ? OR q.expiry = 0) ORDER BY q.seq`);
  const overdue = db.prepare<[number, number], { seq: number; chainId: number }>(`
    SELECT seq, chain_id AS chainId FROM quotes INDEXED BY quotes_open
    WHERE state IN ('live', 'part_filled') AND expiry <> 0 AND expiry < ? ORDER BY seq LIMIT ?`);
  const inHours = db.prepare<[number], Counted>(`
    SELECT chain_id AS chainId, pair, sum(signed) AS signed, sum(refused) AS refused
    FROM quote_hours WHERE hour >= ? GROUP BY chain_id, pair`);
  const inRows = db.prepare<[number, number, number, number], Counted>(`
    SELECT chain_id AS chainId, pair, sum(state <> 'refused') AS signed, sum(state = 'refused') AS refused
    FROM quotes NOT INDEXED
    WHERE seq BETWEEN ? AND ? AND time >= ? AND time < ? AND pair IS NOT NULL GROUP BY chain_id, pair`);
  const filled = db.prepare<[number], Filled>(`
    SELECT chain_id AS chainId, pair, count(*) AS filled FROM fills
    WHERE time >= ? AND pair IS NOT NULL AND reverted = 0 GROUP BY chain_id, pair`);
  const rows = rowsBetween(db);
  const tokens = listedTokens(db);
  const detailOf = (row: DetailRow | undefined): QuoteDetail | null =>
    row === undefined ? null : toQuoteDetail(row, tokens());

  return {
    quote: (seq: number) => detailOf(bySeq.get(seq)),
    quoteByHash: (chainId: number, orderHash: string) => detailOf(byHash.get(bytesOf(orderHash), chainId)),
    /**
     * Signed and without an end, in the order they were signed. Those that expired before a moment in Unix seconds can
     * be left out, so that a long history nobody ended does not hold up a start.
     */
    openQuotes: (notExpiredBefore = 0): OpenQuote[] => open.all(notExpiredBefore).map(openQuote),
    /** Signed, without an end, and expired before a moment in Unix seconds. */
    overdueQuotes: (expiredBefore: number, limit: number): { seq: number; chainId: number }[] =>
      overdue.all(expiredBefore, limit),
    /** Since a moment in Unix milliseconds; pairs without any are left out. Cheapest from the full hour. */
    pairCounts: (since: number): PairCounts[] => {
      const counts = new Map<string, PairCounts>();
      const add = ({ chainId, pair, signed = 0, refused = 0, filled: fills = 0 }: Partial<PairCounts> & Place) => {
        const key = `${chainId}/${pair}`;
        const sum = counts.get(key) ?? { chainId, pair, signed: 0, refused: 0, filled: 0 };
        counts.set(key, { chainId, pair, signed: sum.signed + signed, refused: sum.refused + refused, filled: fills });
      };
      const hour = Math.ceil(since / HOUR_MS);
      if (hour * HOUR_MS > since) {
        const { first, last } = rows(since, hour * HOUR_MS - 1);
        inRows.all(first, last, since, hour * HOUR_MS).forEach(add);
      }
      inHours.all(hour).forEach(add);
      filled.all(since).forEach(add);
      return [...counts.values()];
    },
  };
}

function openQuote({ seq, filled, body }: OpenRow): OpenQuote {
  const { chainId, pair, side, userAddress, makerAsset, takerAsset, ...quote }: QuoteBody = JSON.parse(body);
  return {
    ...{ seq, chainId, pair, side, userAddress, makerAsset, takerAsset },
    makerAmount: quote.makerAmount ?? '0',
    takerAmount: quote.takerAmount ?? '0',
    filledMakerAmount: filled ?? '0',
    expiry: quote.expiry ?? 0,
    orderHash: quote.orderHash ?? '',
  };
}
