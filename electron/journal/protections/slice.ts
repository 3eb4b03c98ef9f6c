import type { Database } from 'better-sqlite3';
import { type Protection, type Subject, type Trip, tripSchema } from '../../contract/protections.ts';
import type { ProjectionsOf, Slice } from '../slice.ts';
import { rowsBetween } from '../time-marks.ts';
import {
  FILLED_COLUMNS,
  type FilledRow,
  fillOf,
  fillWorths,
  type SignedRow,
  type StoredFilled,
  signedOf,
} from './counted-rows.ts';
import { PROTECTION_EVENTS } from './events.ts';
import { foldTrip, type ProtectionEvent, subjectKey } from './fold.ts';
import { tellProtections } from './tell.ts';

const TABLES = `
-- Every trip of a rule as it stands, by the row that it began with; subject is that of the window.
CREATE TABLE protection_trips (
  seq INTEGER PRIMARY KEY,
  rule TEXT NOT NULL,
  subject TEXT NOT NULL,
  trip TEXT NOT NULL,
  -- Unix milliseconds; NULL until somebody resets it.
  until INTEGER,
  reset_seq INTEGER
) STRICT;
CREATE INDEX protection_trips_by_rule ON protection_trips (rule, subject);
CREATE INDEX protection_trips_standing ON protection_trips (until) WHERE reset_seq IS NULL;
`;

type Row = { seq: number; trip: string };

/** Up to which row of the journal nothing counts any more for a subject of a rule: a person reset it. */
export type ResetUpTo = Subject & { rule: string; seq: number };

/** What rows say, in their order; `unread` are those that cannot be read, which take no other along. */
export interface Read<Row> {
  rows: Row[];
  unread: number[];
}

/** `last` is the row behind which there may be more; null where there is none. */
export type SignedPage = Read<SignedRow> & { last: number | null };
export type FilledPage = Read<FilledRow> & { last: number | null };

const MOST_TRIPS = 200;

function project(db: Database): ProjectionsOf<typeof PROTECTION_EVENTS> {
  const last = db.prepare<[string, string], Row>(
    'SELECT seq, trip FROM protection_trips WHERE rule = ? AND subject = ? ORDER BY seq DESC LIMIT 1',
  );
  const insert = db.prepare('INSERT INTO protection_trips (seq, rule, subject, trip, until) VALUES (?, ?, ?, ?, ?)');
  const reset = db.prepare('UPDATE protection_trips SET trip = ?, reset_seq = ? WHERE seq = ?');
  const fold = (event: ProtectionEvent & { seq: number }) => {
    const rule = event.kind === 'protection_tripped' ? event.body.rule.name : event.body.rule;
    const subject = subjectKey(event.body);
    const row = last.get(rule, subject);
    const before: Trip | undefined = row && JSON.parse(row.trip);
    const after = foldTrip(before, event);
    if (after === undefined || after === before) return;
    if (event.kind === 'protection_tripped') insert.run(event.seq, rule, subject, JSON.stringify(after), after.until);
    else reset.run(JSON.stringify(after), event.seq, row?.seq);
  };
  return { protection_tripped: fold, protection_reset: fold };
}

/** Protections that tripped, and who reset them. */
export const PROTECTIONS = {
  events: PROTECTION_EVENTS,
  tables: ['protection_trips'],
  migrations: { 17: (db) => void db.exec(TABLES) },
  project,
  tell: tellProtections,
  queries: (db: Database) => {
    const standing = db.prepare<[number], Row>(
      'SELECT seq, trip FROM protection_trips WHERE reset_seq IS NULL AND (until IS NULL OR until > ?) ORDER BY seq',
    );
    const standingAfter = db.prepare<[seq: number, seqToo: number, at: number, limit: number], Row>(`
        SELECT seq, trip FROM protection_trips
        WHERE seq <= ? AND (reset_seq IS NULL OR reset_seq > ?) AND (until IS NULL OR until > ?) ORDER BY seq DESC LIMIT ?`);
    const resets = db.prepare<[number], Row & { resetSeq: number }>(
      'SELECT seq, trip, reset_seq AS resetSeq FROM protection_trips WHERE reset_seq >= ? ORDER BY reset_seq',
    );
    const newest = db.prepare<[number], Row>('SELECT seq, trip FROM protection_trips ORDER BY seq DESC LIMIT ?');
    const lastOf = db.prepare<[], Row>(
      'SELECT seq, trip FROM protection_trips WHERE seq IN (SELECT max(seq) FROM protection_trips GROUP BY rule)',
    );
    const signed = db.prepare<[number, number, number], { seq: number; time: number; body: string }>(`
      SELECT q.seq, q.time, j.body FROM quotes q JOIN journal j ON j.seq = q.seq
      WHERE q.seq > ? AND q.order_hash IS NOT NULL AND q.pair IS NOT NULL AND q.time >= ? ORDER BY q.seq LIMIT ?`);
    const lastSigned = db
      .prepare<[], number>(
        'SELECT time FROM quotes WHERE order_hash IS NOT NULL AND pair IS NOT NULL ORDER BY seq DESC LIMIT 1',
      )
      .pluck();
    const lastFilled = db
      .prepare<[], number>(
        `SELECT j.time FROM fills f JOIN main.journal j ON j.seq = f.seq WHERE f.pair IS NOT NULL
          ORDER BY f.seq DESC LIMIT 1`,
      )
      .pluck();
    const filled = db.prepare<[number, number, number, number], StoredFilled>(`
      ${FILLED_COLUMNS} WHERE f.seq > ? AND f.seq <= ? AND f.pair IS NOT NULL AND j.time >= ? ORDER BY f.seq LIMIT ?`);
    const filledAt = db.prepare<[string], StoredFilled>(`
      ${FILLED_COLUMNS} WHERE f.seq IN (SELECT value FROM json_each(?)) AND f.pair IS NOT NULL ORDER BY f.seq`);
    const rows = rowsBetween(db);
    const worths = fillWorths(db);
    const filledOf =
      (now: number) =>
      (row: StoredFilled): FilledRow | null => {
        const filled = fillOf(row);
        return filled === null ? null : { ...filled, worth: worths(row, filled)(now) };
      };
    // One that went bad on the disk takes no other along; verifying finds it.
    const tripOf = ({ trip }: Row): Trip | null => {
      try {
        return tripSchema.parse(JSON.parse(trip));
      } catch {
        return null;
      }
    };
    const shown = (row: Row): Trip[] => {
      const trip = tripOf(row);
      return trip === null ? [] : [trip];
    };
    return {
      /** Those that still freeze something at this moment, Unix milliseconds. */
      standingTrips: (at: number): Read<Trip> => readable(standing.all(at), tripOf),
      /**
       * The rows of those that froze something after a row of the journal, at a moment (Unix milliseconds), newest first: one of a rule
       * that was gone by then, or was kept for something else, froze nothing. One that cannot be read is told.
       */
      tripsAfter: (
        seq: number,
        { at, rules, limit }: { at: number; rules: readonly Protection[] | null; limit: number },
      ) =>
        standingAfter.all(seq, seq, at, limit).flatMap((row): number[] => {
          const trip = tripOf(row);
          const isOf = ({ name, per }: Protection) => trip?.rule.name === name && trip.rule.per === per;
          return trip === null || rules === null || rules.some(isOf) ? [row.seq] : [];
        }),
      /** Newest first, at most 200. */
      trips: (limit: number): Trip[] => newest.all(Math.min(limit, MOST_TRIPS)).flatMap(shown),
      /** The newest of each rule that ever tripped. */
      lastTrips: (): Trip[] => lastOf.all().flatMap(shown),
      /** What was reset since, Unix milliseconds; of one subject several times, the last one comes last. */
      resetsSince: (since: number): ResetUpTo[] =>
        resets.all(rows(since, Number.MAX_SAFE_INTEGER).first).flatMap((row) =>
          // One that cannot be read has freed nothing.
          shown(row).map(({ rule, chainId, who }) => ({ rule: rule.name, chainId, who, seq: row.resetSeq })),
        ),
      /** When the last firm quote was signed, Unix milliseconds; null where none was. */
      lastSignedAt: (): number | null => lastSigned.get() ?? null,
      /**
       * Firm quotes that were signed since, Unix milliseconds, in their order, from behind row `after`
       * on.
       */
      signedSince: (since: number, after: number, limit: number): SignedPage => {
        const { first } = rows(since, Number.MAX_SAFE_INTEGER);
        const found = signed.all(Math.max(after, first - 1), since, limit);
        return { ...readable(found, signedOf), last: found.length === limit ? (found.at(-1)?.seq ?? null) : null };
      },
      /** When the last fill of a firm quote was seen, Unix milliseconds; null where none was. */
      lastFilledAt: (): number | null => lastFilled.get() ?? null,
      /**
       * Fills of firm quotes that were seen since, Unix milliseconds, also those taken back, in their order, from behind row `after` on
       * and up to row `upTo`; with what they gained until `now`.
       */
      filledSince: (
        { since, now }: { since: number; now: number },
        { after, upTo }: { after: number; upTo: number },
        limit: number,
      ): FilledPage => {
        const { first } = rows(since, Number.MAX_SAFE_INTEGER);
        const found = filled.all(Math.max(after, first - 1), upTo, since, limit);
        return { ...readable(found, filledOf(now)), last: found.length === limit ? (found.at(-1)?.seq ?? null) : null };
      },
      /** Those of these rows that are fills of firm quotes; with what they gained until `now`. */
      filledRows: (seqs: readonly number[], now: number): Read<FilledRow> =>
        readable(filledAt.all(JSON.stringify(seqs)), filledOf(now)),
    };
  },
} satisfies Slice;

function readable<Row extends { seq: number }, Said>(found: Row[], read: (row: Row) => Said | null): Read<Said> {
  const said: Read<Said> = { rows: [], unread: [] };
  for (const row of found) {
    const one = read(row);
    if (one === null) said.unread.push(row.seq);
    else said.rows.push(one);
  }
  return said;
}
