import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { draftSchema } from '../contract/book.ts';
import { heartbeatSchema } from '../contract/desk-view.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from '../contract/names.ts';
import { decimalSchema } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';

/** How long a reference sample is kept, in milliseconds; and how many that are older one new sample takes out. */
const SAMPLES_KEPT_MS = 7 * 86_400_000;
const OLD_SAMPLES_AT_ONCE = 20;

const onPair = { chainId: chainIdSchema, pair: pairIdSchema };

/** A write to one of the tables outside the hash chain: the last value counts, and nobody has to prove it later. */
const plainWriteSchema = z.discriminatedUnion('table', [
  /** null takes the draft away. */
  z.object({ table: z.literal('drafts'), ...onPair, draft: draftSchema.nullable() }),
  z.object({ table: z.literal('reference_samples'), ...onPair, time: timeSchema, mid: decimalSchema }),
  z.object({ table: z.literal('heartbeats'), chainId: chainIdSchema, beat: heartbeatSchema }),
  /** A setting of the screen; null takes it away. */
  z.object({ table: z.literal('settings'), key: z.string().min(1).max(200), value: z.json().nullable() }),
]);
export type PlainWrite = z.infer<typeof plainWriteSchema>;

/** Throws `journal_row_refused` when the write does not have the form of its table. */
export function checkedWrite(write: PlainWrite): PlainWrite {
  const parsed = plainWriteSchema.safeParse(write);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new DeskError('journal_row_refused', `The journal refused a write to "${write.table}": ${faults}.`, {
    remedy: 'Nothing was written. This is a fault of the program: keep the log and report it.',
    cause: parsed.error,
  });
}

/** Writes to the plain tables, within the caller's transaction. */
export function createPlainWriter(db: Database): (write: PlainWrite) => void {
  const draft = db.prepare('INSERT OR REPLACE INTO drafts (chain_id, pair, draft) VALUES (?, ?, ?)');
  const noDraft = db.prepare('DELETE FROM drafts WHERE chain_id = ? AND pair = ?');
  const sample = db.prepare('INSERT OR REPLACE INTO reference_samples (chain_id, pair, time, mid) VALUES (?, ?, ?, ?)');
  const oldSamples = db.prepare(`
    DELETE FROM reference_samples WHERE (chain_id, pair, time) IN (
      SELECT chain_id, pair, time FROM reference_samples
      WHERE chain_id = ? AND pair = ? AND time < ? ORDER BY time LIMIT ${OLD_SAMPLES_AT_ONCE})`);
  const beat = db.prepare(
    'INSERT OR REPLACE INTO heartbeats (chain_id, endpoint, at, by, status) VALUES (?, ?, ?, ?, ?)',
  );
  const setting = db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
  const noSetting = db.prepare('DELETE FROM settings WHERE key = ?');

  return (write) => {
    switch (write.table) {
      case 'drafts':
        if (write.draft === null) noDraft.run(write.chainId, write.pair);
        else draft.run(write.chainId, write.pair, JSON.stringify(write.draft));
        return;
      case 'reference_samples':
        sample.run(write.chainId, write.pair, write.time, write.mid);
        oldSamples.run(write.chainId, write.pair, write.time - SAMPLES_KEPT_MS);
        return;
      case 'heartbeats':
        beat.run(write.chainId, write.beat.endpoint, write.beat.at, write.beat.by, write.beat.status);
        return;
      case 'settings':
        if (write.value === null) noSetting.run(write.key);
        else setting.run(write.key, JSON.stringify(write.value));
        return;
    }
  };
}
