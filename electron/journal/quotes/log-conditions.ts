import type { LogFilter } from '../../contract/quote-log.ts';
import { bytesOf } from '../hex-bytes.ts';
import { outcomeColumn } from './schema-6.ts';

export type Value = string | number | Buffer;
type Search = { index: string; conditions: string[]; values: Value[] };

/**
 * The conditions of a filter but its times, and the index to search by: that of the field that narrows most. Rows are
 * named `q`, their events `j`.
 */
export function conditionsOf({ orderHash, user, code, chainId, pair, outcome, side, size }: LogFilter): Search {
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
  const { chainId, side, size, ...indexed } = others;
  if (orderHash !== undefined) return true;
  const asked = Object.values(indexed).filter((value) => value !== undefined);
  return chainId === undefined && side === undefined && size === undefined && asked.length <= 1;
}

/** Raw amounts are text without leading zeros: the longer one is the larger, of two equally long the later one. */
function sizeCondition(
  { chainId, address, min, max }: NonNullable<LogFilter['size']>[number],
  which: 'maker' | 'taker',
  values: Value[],
): string {
  const amount = `(j.body ->> '$.${which}Amount')`;
  const conditions = ['q.chain_id = ?', `(j.body ->> '$.${which}Asset') = ?`];
  values.push(chainId, address);
  if (min !== undefined) {
    conditions.push(`(length(${amount}) > ? OR (length(${amount}) = ? AND ${amount} >= ?))`);
    values.push(min.length, min.length, min);
  }
  if (max !== undefined) {
    conditions.push(`(length(${amount}) < ? OR (length(${amount}) = ? AND ${amount} <= ?))`);
    values.push(max.length, max.length, max);
  }
  return `(${conditions.join(' AND ')})`;
}
