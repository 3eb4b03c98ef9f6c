import type { Database, Statement } from 'better-sqlite3';
import type { LogFilter, QuoteRow } from '../../contract/quote-log.ts';
import { listedTokens } from '../book/listed-tokens.ts';
import { rowsBetween } from '../time-marks.ts';
import { conditionsOf, type Value } from './log-conditions.ts';
import { QUOTE_COLUMNS, type StoredQuote, toQuoteRow } from './rows.ts';

/**
 * One page of the log. `before` is the last sequence number of the page before; with oldest first, rows after it come.
 * Nothing beyond row `to` is looked at.
 */
export type LogRequest = {
  filter: LogFilter;
  before?: number;
  to?: number;
  limit: number;
  order?: 'newest' | 'oldest';
};
export type LogPage = { rows: QuoteRow[]; more: boolean };

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
  const tokens = listedTokens(db);
  const lastRow = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck();

  return {
    /** The rows of the journal among which everything of a range of time lies; `first` is above `last` when nothing does. */
    logSpan({ since = 0, until = Number.MAX_SAFE_INTEGER }: { since?: number; until?: number }): {
      first: number;
      last: number;
    } {
      const { first, last } = rows(since, until);
      return { first: Math.max(1, first), last: Math.min(last, lastRow.get() ?? 0) };
    },
    logPage({ filter, before, to, limit, order = 'newest' }: LogRequest): LogPage {
      const { index, conditions, values } = conditionsOf(filter);
      const where = (condition: string, value: Value) => {
        conditions.push(condition);
        values.push(value);
      };
      const newest = order === 'newest';
      // One bound a side: of two SQLite walks to the first it meets, and looks at everything between them.
      const lowest = [newest ? to : before === undefined ? undefined : before + 1];
      const highest = [newest ? (before === undefined ? undefined : before - 1) : to];
      if (filter.since !== undefined || filter.until !== undefined) {
        const { first, last } = rows(filter.since ?? 0, filter.until ?? Number.MAX_SAFE_INTEGER);
        lowest.push(first);
        highest.push(last);
        where('q.time >= ?', filter.since ?? 0);
        where('q.time <= ?', filter.until ?? Number.MAX_SAFE_INTEGER);
      }
      const given = (bounds: (number | undefined)[]) => bounds.filter((bound) => bound !== undefined);
      if (given(lowest).length > 0) where('q.seq >= ?', Math.max(...given(lowest)));
      if (given(highest).length > 0) where('q.seq <= ?', Math.min(...given(highest)));
      const sql = `
        SELECT ${QUOTE_COLUMNS} FROM quotes q ${index} CROSS JOIN journal j ON j.seq = q.seq
        ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
        ORDER BY q.seq ${newest ? 'DESC' : 'ASC'} LIMIT ?`;
      const found = prepared(sql).all(...values, limit + 1);
      const token = tokens();
      return { rows: found.slice(0, limit).map((row) => toQuoteRow(row, token)), more: found.length > limit };
    },
  };
}
