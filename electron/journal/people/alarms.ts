import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import type { FILL_EVENTS } from '../fills/events.ts';
import { bytesOf } from '../hex-bytes.ts';
import type { ProjectionsOf, Recorded } from '../slice.ts';
import type { PEOPLE_EVENTS } from './events.ts';

/** A row that a person must look at. `time` is when it was written, Unix milliseconds. */
export type StoredAlarm = {
  [K in 'fill' | 'drift']: { seq: number; time: number; kind: K; body: z.infer<(typeof FILL_EVENTS)[K]> };
}['fill' | 'drift'];

/** Of each kind no more than these are kept in mind: who has looked at the newest of them sees the others next. */
export const MOST_ALARMS = 1_000;

type AlarmEvents = Pick<typeof FILL_EVENTS & typeof PEOPLE_EVENTS, 'fill' | 'drift' | 'alarms_acknowledged'>;
/** What raises an alarm, and what ends some. */
export type AlarmEvent = {
  [Kind in keyof AlarmEvents]: Pick<Recorded<Kind, z.infer<AlarmEvents[Kind]>>, 'seq' | 'time' | 'kind' | 'body'>;
}[keyof AlarmEvents];

/**
 * The alarms that nobody has acknowledged, oldest first, after an event. `isOurs`, of a fill: its order was signed and handed
 * over by this desk.
 */
export function foldAlarms(open: readonly StoredAlarm[], event: AlarmEvent, isOurs: boolean): readonly StoredAlarm[] {
  if (event.kind === 'alarms_acknowledged') {
    const seen = new Set(event.body.seqs);
    return open.filter(({ seq }) => !seen.has(seq));
  }
  if ((event.kind === 'fill' && isOurs) || event.seq <= (open.at(-1)?.seq ?? 0)) return open;
  const { seq, time } = event;
  const alarm: StoredAlarm =
    event.kind === 'fill'
      ? { seq, time, kind: 'fill', body: event.body }
      : { seq, time, kind: 'drift', body: event.body };
  const ofKind = open.filter(({ kind }) => kind === event.kind);
  const oldest = ofKind.length < MOST_ALARMS ? undefined : ofKind[0];
  return [...open.filter((one) => one !== oldest), alarm];
}

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
export function projectAlarms(db: Database): ProjectionsOf<AlarmEvents> {
  const raise = db.prepare('INSERT INTO alarms (seq) VALUES (?)');
  const end = db.prepare('UPDATE alarms SET acknowledged_seq = ? WHERE seq = ? AND acknowledged_seq IS NULL');
  const released = db
    .prepare<[Buffer, number], number>(
      "SELECT 1 FROM quotes WHERE order_hash = ? AND chain_id = ? AND ended IS NOT 'withheld'",
    )
    .pluck();
  const fold = (event: Exclude<AlarmEvent, { kind: 'alarms_acknowledged' }>, isOurs: boolean) => {
    for (const { seq } of foldAlarms([], event, isOurs)) raise.run(seq);
  };
  return {
    fill: (event) => {
      const { chainId, orderHash } = event.body;
      fold(event, released.get(bytesOf(orderHash), chainId) !== undefined);
    },
    drift: (event) => fold(event, false),
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
  const raised = db
    .prepare<[string], number>(`
    SELECT seq FROM alarms WHERE seq IN (SELECT value FROM json_each(?))`)
    .pluck();
  const after = db
    .prepare<[number, number, number], number>(
      'SELECT seq FROM alarms WHERE seq <= ? AND (acknowledged_seq IS NULL OR acknowledged_seq > ?) ORDER BY seq DESC LIMIT ?',
    )
    .pluck();
  return {
    /** The rows that nobody had acknowledged after a row of the journal, newest first. */
    alarmsAfter: (seq: number, limit: number): number[] => after.all(seq, seq, limit),
    /** Which of these rows raised an alarm. */
    alarmsAmong: (seqs: readonly number[]): number[] => raised.all(JSON.stringify(seqs)),
    /** Oldest first, the newest thousand of each kind: a balance that drifts all day hides no fill. */
    openAlarms: (): StoredAlarm[] =>
      [...open.all('fill', MOST_ALARMS), ...open.all('drift', MOST_ALARMS)]
        .sort((a, b) => a.seq - b.seq)
        // The kind says which form the body has, as it was checked when it was written.
        .map(({ body, ...row }) => ({ ...row, body: JSON.parse(body) }) as StoredAlarm),
  };
}
