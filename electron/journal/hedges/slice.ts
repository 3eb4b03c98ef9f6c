import type { Database } from 'better-sqlite3';
import type { Slice } from '../slice.ts';
import { HEDGE_BODIES } from './events.ts';
import { readHedgedFills } from './hedged-fills.ts';
import { projectHedges } from './project.ts';
import { readHedges } from './read.ts';
import { hedgesAndPositions } from './schema-3.ts';
import { hedgeReceipts } from './schema-4.ts';

/** Hedges and what they cover. `steppedHedge` in hedge-record.ts is the fold. */
export const HEDGES = {
  events: HEDGE_BODIES,
  tables: ['hedges', 'hedge_steps', 'hedge_fills', 'hedge_receipts', 'auto_hedges'],
  migrations: { 3: hedgesAndPositions, 4: hedgeReceipts },
  project: projectHedges,
  queries: (db: Database) => ({ ...readHedges(db), ...readHedgedFills(db) }),
} satisfies Slice;
