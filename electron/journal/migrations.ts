import type { Database } from 'better-sqlite3';
import { alarmTable } from './alarms.ts';
import { APPLICATION_ID } from './open-database.ts';
import { ordersByHand } from './orders-by-hand.ts';
import { SCHEMA_1 } from './schema-1.ts';
import { pairHoursWithVolumes } from './schema-2.ts';
import { hedgesAndPositions } from './schema-3.ts';
import { hedgeReceipts } from './schema-4.ts';
import { pastStops } from './schema-5.ts';
import { quotesByOutcome } from './schema-6.ts';
import { barsOfThisDesk } from './schema-8.ts';
import { fillsTakenBack } from './schema-9.ts';
import { unprovenPasts } from './unproven-past.ts';

/** A step from one schema to the next. The version is the place in the list, counted from 1. */
export type Migration = (db: Database) => void;

/** Never changed once released; a new schema is a new step at the end. */
export const MIGRATIONS: readonly Migration[] = [
  (db) => {
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.exec(SCHEMA_1);
  },
  pairHoursWithVolumes,
  hedgesAndPositions,
  hedgeReceipts,
  pastStops,
  quotesByOutcome,
  alarmTable,
  barsOfThisDesk,
  fillsTakenBack,
  unprovenPasts,
  ordersByHand,
];
