import type { Database } from 'better-sqlite3';
import type { QuoteDetail } from '../../contract/quote-log.ts';
import type { Address } from '../../protocol/address.ts';
import { archiveFault } from '../archived-bodies.ts';
import { listedTokens } from '../book/listed-tokens.ts';
import { bytesOf } from '../hex-bytes.ts';
import type { QuoteBody } from './events.ts';
import type { OpenQuote } from './fold.ts';
import { proveOpen } from './prove-open.ts';
import { QUOTE_COLUMNS, type StoredQuote, toQuoteDetail } from './rows.ts';

type DetailRow = StoredQuote & { hash: string };
/** The kept part of the signature of a request that was answered with an order. */
export type UsedSignature = { signature: string; chainId: number };
type OpenRow = { seq: number; filled: string | null; body: string };

/** So many older rows one after the other end the look for newer ones: a clock that was set leaves rows out of order. */
const MOST_OLDER = 1_000;

/** Single quotes, and the open ones. */
export function readQuotes(db: Database) {
  const detail = `SELECT ${QUOTE_COLUMNS}, lower(hex(j.hash)) AS hash FROM quotes q JOIN journal j ON j.seq = q.seq`;
  const bySeq = db.prepare<[number], DetailRow>(`${detail} WHERE q.seq = ?`);
  const byHash = db.prepare<[Buffer, number], DetailRow>(`${detail} WHERE q.order_hash = ? AND q.chain_id = ?`);
  const open = db.prepare<[], OpenRow>(`
    SELECT q.seq, q.filled_maker_amount AS filled, j.body
    FROM quotes q INDEXED BY quotes_open JOIN journal j ON j.seq = q.seq
    WHERE q.state IN ('live', 'part_filled') ORDER BY q.seq`);
  const used = db.prepare<[], { time: number; body: string }>(`
    SELECT q.time, j.body FROM quotes q JOIN journal j ON j.seq = q.seq ORDER BY q.seq DESC`);
  const openByHand = db.prepare<[number], OpenRow>(`
    SELECT q.seq, q.filled_maker_amount AS filled, j.body
    FROM quotes q INDEXED BY quotes_open JOIN journal j ON j.seq = q.seq
    WHERE q.state IN ('live', 'part_filled') AND q.chain_id = ? AND j.kind = 'nft_order' ORDER BY q.seq`);
  const asked = db
    .prepare<[Buffer, number, number], number>(`
      SELECT count(*) FROM (SELECT time FROM quotes INDEXED BY quotes_by_user
        WHERE user_address = ? AND seq <= ? ORDER BY seq DESC LIMIT 1000) WHERE time > ?`)
    .pluck();
  const tokens = listedTokens(db);
  const detailOf = (row: DetailRow | undefined): QuoteDetail | null =>
    row === undefined ? null : toQuoteDetail(row, tokens());

  return {
    quote: (seq: number) => detailOf(bySeq.get(seq)),
    quoteByHash: (chainId: number, orderHash: string) => detailOf(byHash.get(bytesOf(orderHash), chainId)),
    /**
     * What the requests were signed with that gave an order in the last `withinMs`, by our clock (`now`, Unix milliseconds) or by
     * that of the newest row, whichever is further back: a clock that was set makes none of them older.
     */
    usedSignatures(now: number, withinMs: number): UsedSignature[] {
      const found: UsedSignature[] = [];
      let since: number | null = null;
      let older = 0;
      for (const { time, body } of used.iterate()) {
        since ??= Math.min(now, time) - withinMs;
        if (time < since) {
          older += 1;
          if (older === MOST_OLDER) break;
          continue;
        }
        older = 0;
        if (archiveFault(body) !== null) continue; // days old: its request is too
        // Refusals among them have none.
        const { chainId, requestSignature }: QuoteBody = JSON.parse(body);
        if (requestSignature !== undefined) found.push({ signature: requestSignature, chainId });
      }
      return found;
    },
    /** Firm requests of a user in the minute up to row `seq` at `time`, that row included; counted up to 1,000. */
    askedInMinute: (user: Address, seq: number, time: number): number =>
      asked.get(bytesOf(user), seq, time - 60_000) ?? 0,
    /** Signed and without an end, in the order they were signed: also those whose expiry is long past, for no clock alone ends one. */
    openQuotes: (): OpenQuote[] => open.all().map(openQuote),
    /** Those of a chain that a person had signed. */
    openNftOrders: (chainId: number): OpenQuote[] => openByHand.all(chainId).map(openQuote),
    /** The same as the journal itself has them, proven; `now` is Unix milliseconds. */
    provenOpenQuotes: proveOpen(db),
  };
}

function openQuote({ seq, filled, body }: OpenRow): OpenQuote {
  const { chainId, pair, side, userAddress, makerAsset, takerAsset, ...quote }: QuoteBody = JSON.parse(body);
  return {
    seq,
    chainId,
    pair,
    side,
    userAddress,
    makerAsset,
    takerAsset,
    makerAmount: quote.makerAmount ?? '0',
    takerAmount: quote.takerAmount ?? '0',
    filledMakerAmount: filled ?? '0',
    expiry: quote.expiry ?? 0,
    orderHash: quote.orderHash ?? '',
    makerNft: quote.makerNft,
    takerNft: quote.takerNft,
  };
}
