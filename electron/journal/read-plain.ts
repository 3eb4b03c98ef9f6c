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
  };
}
