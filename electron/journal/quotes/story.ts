import type { Database } from 'better-sqlite3';
import type { PublishedLadder } from '../../contract/book.ts';
import type { Address } from '../../protocol/address.ts';
import { publishedLadders } from '../book/published-ladders.ts';
import { REFERENCE_VALID_MS } from '../book/reference-at.ts';
import type { ReferenceSample } from '../book/reference-samples.ts';
import { bytesOf } from '../hex-bytes.ts';

type Cancel = { time: number; block: number; transactionHash: string; reverted: boolean };

/** The rest of what one quote's decision depended on, and what became of it. */
export function readQuoteStory(db: Database) {
  const revision = db
    .prepare<[number, string, number], number>(
      'SELECT seq FROM ladder_revisions WHERE chain_id = ? AND pair = ? AND revision = ?',
    )
    .pluck();
  const cancels = db.prepare<[number], Omit<Cancel, 'reverted'> & { reverted: number }>(
    'SELECT time, block, transaction_hash AS transactionHash, reverted FROM cancels WHERE quote_seq = ? ORDER BY seq',
  );
  const asked = db
    .prepare<[Buffer, number, number], number>(`
      SELECT count(*) FROM (SELECT time FROM quotes INDEXED BY quotes_by_user
        WHERE user_address = ? AND seq <= ? ORDER BY seq DESC LIMIT 1000) WHERE time > ?`)
    .pluck();
  const sample = db.prepare<[number, string, number, number], ReferenceSample>(`
    SELECT time, mid FROM reference_samples WHERE chain_id = ? AND pair = ? AND time <= ? AND time >= ?
    ORDER BY time DESC LIMIT 1`);
  const published = publishedLadders(db);
  return {
    /** A published revision of a pair; null when there is none of this number. */
    ladderRevision(chainId: number, pair: string, number: number): PublishedLadder | null {
      const seq = revision.get(chainId, pair, number);
      if (seq === undefined) return null;
      const { time, actor, ladder } = published(seq);
      return { chainId, pair, revision: number, time, actor, ladder: ladder(chainId, pair) };
    },
    cancelsOfQuote: (quoteSeq: number): Cancel[] =>
      cancels.all(quoteSeq).map((row) => ({ ...row, reverted: row.reverted !== 0 })),
    /** Firm requests of a user in the minute up to row `seq` at `time`, that row included; counted up to 1,000. */
    askedInMinute: (user: Address, seq: number, time: number): number =>
      asked.get(bytesOf(user), seq, time - 60_000) ?? 0,
    /** The reference at a moment: the newest sample before it that still says something of it. */
    referenceAt: (chainId: number, pair: string, time: number): ReferenceSample | null =>
      sample.get(chainId, pair, time, time - REFERENCE_VALID_MS) ?? null,
  };
}
