import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import type { FILL_EVENTS } from '../fills/events.ts';
import { bytesOf } from '../hex-bytes.ts';
import type { ProjectionsOf } from '../slice.ts';
import type { PEOPLE_EVENTS } from './events.ts';

/** A row that a person must look at. `time` is when it was written, Unix milliseconds. */
export type StoredAlarm = {
  [K in 'fill' | 'drift']: { seq: number; time: number; kind: K; body: z.infer<(typeof FILL_EVENTS)[K]> };
}['fill' | 'drift'];

/** Of each kind no more than these are read: who has looked at the newest of them sees the others next. */
const MOST_READ = 1_000;

/**
 * Rows of the journal that a person must look at, each by its own sequence, until somebody says that they did: fills of
 * orders that this desk never signed or never handed over, and balances that moved without a reason.
 */
export function alarmTable(db: Database): void {
  db.exec(`
    CREATE TABLE alarms (
      seq INTEGER PRIMARY KEY,
      acknowledged_seq INTEGER
    ) STRICT;
    CREATE INDEX alarms_open ON alarms (seq) WHERE acknowledged_seq IS NULL;
    INSERT INTO alarms (seq)
      SELECT f.seq FROM fills f LEFT JOIN quotes q ON q.seq = f.quote_seq
      WHERE f.quote_seq IS NULL OR q.ended = 'withheld';`);
}

/** What raises an alarm and what ends it. It comes after the tables of fills are written. */
export function projectAlarms(
  db: Database,
): Pick<ProjectionsOf<typeof FILL_EVENTS & typeof PEOPLE_EVENTS>, 'fill' | 'drift' | 'alarms_acknowledged'> {
  const raise = db.prepare('INSERT INTO alarms (seq) VALUES (?)');
  const end = db.prepare('UPDATE alarms SET acknowledged_seq = ? WHERE seq = ? AND acknowledged_seq IS NULL');
  const released = db
    .prepare<[Buffer, number], number>(
      "SELECT 1 FROM quotes WHERE order_hash = ? AND chain_id = ? AND ended IS NOT 'withheld'",
    )
    .pluck();
  return {
    fill: ({ seq, body }) => {
      if (released.get(bytesOf(body.orderHash), body.chainId) === undefined) raise.run(seq);
    },
    drift: ({ seq }) => {
      raise.run(seq);
    },
    alarms_acknowledged: ({ seq, body }) => {
      for (const alarm of body.seqs) end.run(seq, alarm);
    },
  };
}

type Row = { seq: number; time: number; kind: StoredAlarm['kind']; body: string };

/** Alarms that nobody has acknowledged. */
export function readAlarms(db: Database) {
  const open = db.prepare<[StoredAlarm['kind'], number], Row>(`
    SELECT a.seq, j.time, j.kind, j.body FROM alarms a INDEXED BY alarms_open JOIN journal j ON j.seq = a.seq
    WHERE a.acknowledged_seq IS NULL AND j.kind = ? ORDER BY a.seq DESC LIMIT ?`);
  return {
    /** Oldest first, the newest thousand of each kind: a balance that drifts all day hides no fill. */
    openAlarms: (): StoredAlarm[] =>
      [...open.all('fill', MOST_READ), ...open.all('drift', MOST_READ)]
        .sort((a, b) => a.seq - b.seq)
        // The kind says which form the body has, as it was checked when it was written.
        .map(({ body, ...row }) => ({ ...row, body: JSON.parse(body) }) as StoredAlarm),
  };
}
