import type { Database, Statement } from 'better-sqlite3';
import type { LogFilter, QuoteRow } from '../contract/quote-log.ts';
import { bytesOf } from './hex-bytes.ts';
import { QUOTE_COLUMNS, type StoredQuote, toQuoteRow } from './quote-rows.ts';
import { rowsBetween } from './time-marks.ts';

/** One page of the log. `before` is the last sequence number of the page before; with oldest first, rows after it come. */
export type LogRequest = { filter: LogFilter; before?: number; limit: number; order?: 'newest' | 'oldest' };
export type LogPage = { rows: QuoteRow[]; more: boolean };

type Value = string | number | Buffer;
type Search = { index: string; conditions: string[]; values: Value[] };

/**
 * Pages of the firm log in the order of the journal. Each page begins where the one before ended, so that a page deep
 * in the past costs what the first one does. A filter is answered from the index that narrows it most; every index
 * holds its rows in the order of the journal.
 */
export function readLog(db: Database) {
  const statements = new Map<string, Statement<Value[], StoredQuote>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? db.prepare<Value[], StoredQuote>(sql);
    statements.set(sql, statement);
    return statement;
  };
  const rows = rowsBetween(db);

  return {
    logPage({ filter, before, limit, order = 'newest' }: LogRequest): LogPage {
      const { index, conditions, values } = searchFor(filter);
      const where = (condition: string, value: Value) => {
        conditions.push(condition);
        values.push(value);
      };
      if (filter.since !== undefined || filter.until !== undefined) {
        const { first, last } = rows(filter.since ?? 0, filter.until ?? Number.MAX_SAFE_INTEGER);
        where('q.seq >= ?', first);
        where('q.seq <= ?', last);
        where('q.time >= ?', filter.since ?? 0);
        where('q.time <= ?', filter.until ?? Number.MAX_SAFE_INTEGER);
      }
      if (before !== undefined) where(order === 'newest' ? 'q.seq < ?' : 'q.seq > ?', before);
      const sql = `
        SELECT ${QUOTE_COLUMNS} FROM quotes q ${index} CROSS JOIN journal j ON j.seq = q.seq
        ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
        ORDER BY q.seq ${order === 'newest' ? 'DESC' : 'ASC'} LIMIT ?`;
      const found = prepared(sql).all(...values, limit + 1);
      return { rows: found.slice(0, limit).map(toQuoteRow), more: found.length > limit };
    },
  };
}

/** The conditions of a filter but its times, and the index to search by. */
function searchFor({ orderHash, user, code, chainId, pair, state, side }: LogFilter): Search {
  const conditions: string[] = [];
  const values: Value[] = [];
  const indexes: string[] = [];
  const where = (condition: string, value: Value, index?: string) => {
    conditions.push(condition);
    values.push(value);
    if (index !== undefined) indexes.push(`INDEXED BY ${index}`);
  };
  if (orderHash !== undefined) where('q.order_hash = ?', bytesOf(orderHash), 'quotes_by_hash');
  if (user !== undefined) where('q.user_address = ?', bytesOf(user), 'quotes_by_user');
  if (code !== undefined) where('q.code = ?', code, 'quotes_by_code');
  if (state !== undefined) {
    const open = state === 'live' || state === 'part_filled';
    // Word for word the condition of the partial index.
    conditions.push(`q.state ${open ? 'IN' : 'NOT IN'} ('live', 'part_filled')`);
    where('q.state = ?', state, open ? 'quotes_open' : 'quotes_ended');
  }
  if (pair !== undefined) where('q.pair = ?', pair, 'quotes_by_pair');
  if (chainId !== undefined) where('q.chain_id = ?', chainId);
  if (side !== undefined) where('q.side = ?', side);
  return { index: indexes[0] ?? 'NOT INDEXED', conditions, values };
}
