import type { Database } from 'better-sqlite3';
import { type Subject, type Trip, tripSchema } from '../../contract/protections.ts';
import type { Address } from '../../protocol/address.ts';
import { parsedBody } from '../archived-bodies.ts';
import type { QuoteBody } from '../quotes/events.ts';
import type { ProjectionsOf, Slice } from '../slice.ts';
import { rowsBetween } from '../time-marks.ts';
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

/** A signed quote as the windows count it. Amounts are raw units as decimal strings; `time` is Unix milliseconds. */
export interface SignedRow {
  seq: number;
  time: number;
  chainId: number;
  pair: string;
  user: Address;
  counterparty: string | null;
  makerAsset: Address;
  takerAsset: Address;
  makerAmount: string;
  takerAmount: string;
  orderHash: string;
}

/** Up to which row of the journal nothing counts any more for a subject of a rule: a person reset it. */
export type ResetUpTo = Subject & { rule: string; seq: number };

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
    const rows = rowsBetween(db);
    const tripOf = ({ trip }: Row): Trip => tripSchema.parse(JSON.parse(trip));
    const shown = (row: Row): Trip[] => {
      try {
        return [tripOf(row)];
      } catch {
        return []; // one that went bad on the disk takes no other along; verifying finds it
      }
    };
    return {
      /** Those that still freeze something at this moment, Unix milliseconds. Throws where one cannot be read. */
      standingTrips: (at: number): Trip[] => standing.all(at).map(tripOf),
      /** Newest first, at most 200. */
      trips: (limit: number): Trip[] => newest.all(Math.min(limit, MOST_TRIPS)).flatMap(shown),
      /** The newest of each rule that ever tripped. */
      lastTrips: (): Trip[] => lastOf.all().flatMap(shown),
      /** What was reset since, Unix milliseconds; of one subject several times, the last one comes last. */
      resetsSince: (since: number): ResetUpTo[] =>
        resets.all(rows(since, Number.MAX_SAFE_INTEGER).first).map((row) => {
          const { rule, chainId, who } = tripOf(row);
          return { rule: rule.name, chainId, who, seq: row.resetSeq };
        }),
      /** Firm quotes that were signed since, Unix milliseconds, in their order, from behind row `after` on. */
      signedSince: (since: number, after: number, limit: number): SignedRow[] => {
        const { first } = rows(since, Number.MAX_SAFE_INTEGER);
        return signed.all(Math.max(after, first - 1), since, limit).map(({ seq, time, body }) => {
          const { chainId, pair, userAddress, counterparty, makerAsset, takerAsset, ...rest } =
            parsedBody<QuoteBody>(body);
          const { makerAmount, takerAmount, orderHash } = rest;
          if (pair === null || makerAmount === null || takerAmount === null || orderHash === null) {
            throw new Error(`row ${seq} of the journal is no signed quote`);
          }
          const assets = { makerAsset, takerAsset, makerAmount, takerAmount };
          return { seq, time, chainId, pair, user: userAddress, counterparty, orderHash, ...assets };
        });
      },
    };
  },
} satisfies Slice;
