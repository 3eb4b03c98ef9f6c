import type { Database, Statement } from 'better-sqlite3';
import type { LogFilter, QuoteRow } from '../../contract/quote-log.ts';
import { listedTokens } from '../book/listed-tokens.ts';
import { bytesOf } from '../hex-bytes.ts';
import { rowsBetween } from '../time-marks.ts';
import { QUOTE_COLUMNS, type StoredQuote, toQuoteRow } from './rows.ts';

/** The outcome of a quote `q`, as `outcomeOf` in the contract tells it; word for word what the index `quotes_by_outcome` holds. */
export function outcomeColumn(q: '' | 'q.'): string {
  return `CASE WHEN ${q}state IN ('live', 'part_filled') THEN 'open'
    WHEN ${q}filled_maker_amount IS NOT NULL THEN 'filled' ELSE ${q}state END`;
}

type Value = string | number | Buffer;
type Search = { index: string; conditions: string[]; values: Value[] };

/**
 * The conditions of a filter but its times, and the index to search by: that of the field that narrows most. Rows are
 * named `q`, their events `j`.
 */
export function conditionsOf({ orderHash, user, hex, code, chainId, pair, outcome, side, size }: LogFilter): Search {
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
  if (outcome !== undefined) where(`${outcomeColumn('q.')} = ?`, outcome, 'quotes_by_outcome');
  if (pair !== undefined) where('q.pair = ?', pair, 'quotes_by_pair');
  if (chainId !== undefined) where('q.chain_id = ?', chainId);
  if (side !== undefined) where('q.side = ?', side);
  if (hex !== undefined) {
    const like = `${hex.starts.slice(2)}%${hex.ends}`;
    conditions.push('(hex(q.order_hash) LIKE ? OR hex(q.user_address) LIKE ?)');
    values.push(like, like);
  }
  if (size !== undefined) {
    const any = size.flatMap((token) =>
      (['maker', 'taker'] as const).map((which) => sizeCondition(token, which, values)),
    );
    conditions.push(`(${any.join(' OR ')})`);
  }
  return { index: indexes[0] ?? 'NOT INDEXED', conditions, values };
}

/**
 * Whether the first page comes from one index, without looking at rows that do not match: one of the indexed fields
 * alone, with or without a range of time, or nothing at all.
 */
export function isOneIndex({ since: _since, until: _until, orderHash, ...others }: LogFilter): boolean {
  const { chainId, side, size, hex, ...indexed } = others;
  if (orderHash !== undefined) return true;
  const asked = Object.values(indexed).filter((value) => value !== undefined);
  return [chainId, side, size, hex].every((value) => value === undefined) && asked.length <= 1;
}

/**
 * Raw amounts are text without leading zeros: the longer one is the larger, of two equally long the later one. A row that cannot be
 * read may have any size: it is among what is found, so that its fault is told there.
 */
function sizeCondition(
  { chainId, address, min, max }: NonNullable<LogFilter['size']>[number],
  which: 'maker' | 'taker',
  values: Value[],
): string {
  const field = (name: string) => `(CASE WHEN json_valid(j.body) THEN j.body ->> '$.${which}${name}' END)`;
  const amount = field('Amount');
  const conditions = ['q.chain_id = ?', `${field('Asset')} = ?`];
  values.push(chainId, address);
  if (min !== undefined) {
    conditions.push(`(length(${amount}) > ? OR (length(${amount}) = ? AND ${amount} >= ?))`);
    values.push(min.length, min.length, min);
  }
  if (max !== undefined) {
    conditions.push(`(length(${amount}) < ? OR (length(${amount}) = ? AND ${amount} <= ?))`);
    values.push(max.length, max.length, max);
  }
  const [chain, ...ofBody] = conditions;
  return `(${chain} AND (NOT json_valid(j.body) OR (${ofBody.join(' AND ')})))`;
}

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
/** Quotes by their rows, and by the orders that were signed. */
export type NamedQuotes = { seqs: number[]; orders: { chainId: number; orderHash: string }[] };

/** Firm requests that ended with this code, null where the order went out; `signed`: of these, those for which an order was signed all the same. */
export type CountedQuotes = { code: string | null; count: number; signed: number };

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
  const named = `SELECT ${QUOTE_COLUMNS} FROM quotes q JOIN journal j ON j.seq = q.seq`;
  const bySeq = db.prepare<[number], StoredQuote>(`${named} WHERE q.seq = ?`);
  const byHash = db.prepare<[Buffer, number], StoredQuote>(`${named} WHERE q.order_hash = ? AND q.chain_id = ?`);
  const counted = db.prepare<[number, number, number, number], CountedQuotes>(`
    SELECT code, count(*) AS count, count(order_hash) AS signed FROM quotes NOT INDEXED
    WHERE seq BETWEEN ? AND ? AND time >= ? AND time < ? GROUP BY code`);

  return {
    /** The rows of the journal among which everything of a range of time lies; `first` is above `last` when nothing does. */
    logSpan({ since = 0, until = Number.MAX_SAFE_INTEGER }: { since?: number; until?: number }): {
      first: number;
      last: number;
    } {
      const { first, last } = rows(since, until);
      return { first: Math.max(1, first), last: Math.min(last, lastRow.get() ?? 0) };
    },
    /** Counts those among some rows of the journal that were decided from `since` on and before `until`, Unix milliseconds, by their code. */
    quoteCounts({ first, last, since, until }: Record<'first' | 'last' | 'since' | 'until', number>): CountedQuotes[] {
      return counted.all(first, last, since, until);
    },
    /** What is not known is left out. */
    namedQuotes({ seqs, orders }: NamedQuotes): QuoteRow[] {
      const found = [
        ...seqs.map((seq) => bySeq.get(seq)),
        ...orders.map(({ chainId, orderHash }) => byHash.get(bytesOf(orderHash), chainId)),
      ];
      const token = tokens();
      return found.filter((row) => row !== undefined).map((row) => toQuoteRow(row, token));
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
