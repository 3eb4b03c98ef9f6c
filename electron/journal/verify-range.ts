import type { Database, Statement } from 'better-sqlite3';
import { GENESIS_HASH, rowHash } from './row-hash.ts';

/** What a walk over some rows found. `lastHash` is of the last good row; `kinds` counts the good rows by kind. */
export type VerifiedRange = {
  firstBad: number | null;
  detail: string | null;
  lastHash: string;
  kinds: Record<string, number>;
};

type RawRow = [seq: number, time: number, actor: string, kind: string, body: string, previous: string, hash: string];

const ROWS_AT_ONCE = 2_000;

/**
 * Walks the chain from one row to another, both included; `from - 1` must be there unless it is 0. Stops at the first
 * row that is not as it was written. Whoever reads the range before this one vouches for the row before it.
 */
export function verifyRange(
  db: Database,
  from: number,
  to: number,
  onProgress: (checked: number) => void,
): VerifiedRange {
  const rows: Statement<[number, number], RawRow> = db
    .prepare<[number, number], RawRow>(`
      SELECT seq, time, actor, kind, body, lower(hex(previous)), lower(hex(hash))
      FROM journal WHERE seq BETWEEN ? AND ? ORDER BY seq`)
    .raw();
  const before = db.prepare<[number], string>('SELECT lower(hex(hash)) FROM journal WHERE seq = ?').pluck();
  const walk = { expected: from, lastHash: GENESIS_HASH, kinds: new Map<string, number>() };
  const result = (firstBad: number | null, detail: string | null): VerifiedRange => {
    return { firstBad, detail, lastHash: walk.lastHash, kinds: Object.fromEntries(walk.kinds) };
  };

  const check = ([seq, time, actor, kind, body, previous, stored]: RawRow): string | null => {
    if (seq !== walk.expected) return `Row ${walk.expected} is missing.`;
    if (previous !== walk.lastHash) return `Row ${seq} does not follow the row before it.`;
    if (rowHash({ seq, time, actor, kind, body, previous }) !== stored) return `Row ${seq} was changed.`;
    walk.expected += 1;
    walk.lastHash = stored;
    walk.kinds.set(kind, (walk.kinds.get(kind) ?? 0) + 1);
    return null;
  };
  const firstFault = (chunk: Iterable<RawRow>): string | null => {
    for (const row of chunk) {
      const fault = check(row);
      if (fault !== null) return fault;
    }
    return null;
  };
  const walkTo = (end: number): string | null => {
    try {
      return firstFault(rows.all(walk.expected, end));
    } catch {
      // A page that cannot be read spoils the whole chunk; row by row the first one is found.
      return firstFault(rows.iterate(walk.expected, end));
    }
  };

  try {
    if (from > 1) walk.lastHash = before.get(from - 1) ?? 'missing';
    while (walk.expected <= to) {
      const end = Math.min(walk.expected + ROWS_AT_ONCE - 1, to);
      const fault = walkTo(end) ?? (walk.expected <= end ? `Row ${walk.expected} is missing.` : null);
      if (fault !== null) return result(walk.expected, fault);
      onProgress(walk.expected - from);
    }
    return result(null, null);
  } catch (error) {
    return result(walk.expected, `Row ${walk.expected} cannot be read: ${String(error)}`);
  }
}
