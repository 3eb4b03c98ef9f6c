import type { Database } from 'better-sqlite3';
import type { QuoteDetail } from '../contract/quote-log.ts';
import type { QuoteBody } from './events.ts';
import { bytesOf } from './hex-bytes.ts';
import { listedTokens } from './listed-tokens.ts';
import { QUOTE_COLUMNS, type StoredQuote, toQuoteDetail } from './quote-rows.ts';
import type { OpenQuote } from './stored.ts';

type DetailRow = StoredQuote & { hash: string };
type OpenRow = { seq: number; filled: string | null; body: string };

/** Single quotes, and the open ones. */
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
