import type { Database } from 'better-sqlite3';
import type { Heartbeat } from '../contract/desk-view.ts';
import type { ReferenceSample, StoredDraft, StoredHeartbeat } from './stored.ts';

type DraftRow = { chainId: number; pair: string; draft: string };

/** The plain tables outside the chain. */
export function readPlain(db: Database) {
  const drafts = db.prepare<[], DraftRow>('SELECT chain_id AS chainId, pair, draft FROM drafts ORDER BY rowid');
  const beats = db.prepare<[], Heartbeat & { chainId: number }>(
    'SELECT chain_id AS chainId, endpoint, at, by, status FROM heartbeats',
  );
  const setting = db.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
  const samples = db.prepare<[number, string, number, number], ReferenceSample>(
    'SELECT time, mid FROM reference_samples WHERE chain_id = ? AND pair = ? AND time >= ? AND time <= ? ORDER BY time',
  );
  const byPerson = db
    .prepare<[number, string, number], number | null>(`
      SELECT max(j.time) FROM ladder_revisions r JOIN journal j ON j.seq = r.seq
      WHERE r.chain_id = ? AND r.pair = ? AND j.time >= ? AND j.actor <> 'follow'`)
    .pluck();
  return {
    drafts: (): StoredDraft[] => drafts.all().map((row) => ({ ...row, draft: JSON.parse(row.draft) })),
    heartbeats: (): StoredHeartbeat[] => beats.all().map(({ chainId, ...beat }) => ({ chainId, beat })),
    setting: (key: string): unknown => {
      const text = setting.get(key);
      return text === undefined ? null : JSON.parse(text);
    },
    /** From `since` to `until`, both Unix milliseconds and included. */
    referenceSamples: (chainId: number, pair: string, since: number, until: number): ReferenceSample[] =>
      samples.all(chainId, pair, since, until),
    /** What the reference said since, and since a person last published the pair: the lowest, the highest and the last; null where it said nothing. */
    referenceSpan(chainId: number, pair: string, since: number): { low: string; high: string; last: string } | null {
      const from = Math.max(since, byPerson.get(chainId, pair, since) ?? 0);
      const mids = samples.all(chainId, pair, from, Number.MAX_SAFE_INTEGER).map(({ mid }) => mid);
      const [first] = mids;
      const last = mids.at(-1);
      if (first === undefined || last === undefined) return null;
      const span = { low: first, high: first, last };
      for (const mid of mids) {
        if (Number(mid) < Number(span.low)) span.low = mid;
        if (Number(mid) > Number(span.high)) span.high = mid;
      }
      return span;
    },
  };
}
