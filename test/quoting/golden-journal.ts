import type { NewEvent } from '../../electron/journal/events.ts';
import { journalFile, openForReading } from '../../electron/journal/open-database.ts';

/** A journal that a desk wrote, an event a line; `record-golden-journal.ts` writes another one in its place. */
export const GOLDEN = new URL('./golden-journal.jsonl', import.meta.url);

export type Row = NewEvent;

export function rowsIn(folder: string): Row[] {
  const db = openForReading(journalFile(folder));
  try {
    const rows = db.prepare<[], { time: number; actor: string; kind: string; body: string }>(
      'SELECT time, actor, kind, body FROM journal ORDER BY seq',
    );
    return rows.all().map((row) => ({ ...row, body: JSON.parse(row.body) }) as Row);
  } finally {
    db.close();
  }
}
