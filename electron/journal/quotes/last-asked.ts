import type { Database } from 'better-sqlite3';
import type { RefusalCode } from '../../contract/refusal.ts';
import type { Side } from '../../protocol/side.ts';
import { parsedBody } from '../archived-bodies.ts';
import type { QuoteBody } from './events.ts';

/** A decision about a pair. `balance` and `allowance` of the token that it would have paid out, as the desk had read them; raw units. */
export interface Asked {
  readonly seq: number;
  /** Unix milliseconds. */
  readonly time: number;
  readonly side: Side | null;
  /** Null where it was signed. */
  readonly code: RefusalCode | null;
  readonly makerAsset: string;
  readonly balance: string | null;
  readonly allowance: string | null;
}

type Found = { seq: number; time: number; side: Side | null; code: RefusalCode | null };

/** Quotes of a name that are looked back through, and those of them that are read. */
const MOST_LOOKED = 500;
const MOST_READ = 24;

/** The last decisions about a pair up to a row of the journal, newest first, until `enough`. What cannot be read is left out. */
export function lastAsked(db: Database) {
  const found = db.prepare<[string, number, number, number], Found>(`
    SELECT seq, time, side, iif(order_hash IS NULL, code, NULL) AS code FROM (
      SELECT seq, time, side, code, order_hash, chain_id FROM quotes INDEXED BY quotes_by_pair
      WHERE pair = ? AND seq <= ? ORDER BY seq DESC LIMIT ${MOST_LOOKED})
    WHERE chain_id = ? ORDER BY seq DESC LIMIT ?`);
  const body = db.prepare<[number], string>('SELECT body FROM journal WHERE seq = ?').pluck();
  return function* asked(chainId: number, pair: string, seq: number): Generator<Asked> {
    for (const row of found.all(pair, seq, chainId, MOST_READ)) {
      try {
        const { makerAsset, balance, allowance } = parsedBody<QuoteBody>(body.get(row.seq) ?? '');
        yield { ...row, makerAsset, balance, allowance };
      } catch {
        yield { ...row, makerAsset: '', balance: null, allowance: null };
      }
    }
  };
}
