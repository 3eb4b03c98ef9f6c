import type { Database } from 'better-sqlite3';
import { HEDGE_BODIES } from './hedge-events.ts';
import { projectHedges } from './project-hedges.ts';
import { readHedgedFills } from './read-hedged-fills.ts';
import { readHedges } from './read-hedges.ts';
import { hedgesAndPositions } from './schema-3.ts';
import { hedgeReceipts } from './schema-4.ts';
import type { Slice } from './slice.ts';

/** Hedges and what they cover. `steppedHedge` in hedge-record.ts is the fold. */
export const HEDGES = {
  events: HEDGE_BODIES,
  tables: ['hedges', 'hedge_steps', 'hedge_fills', 'hedge_receipts', 'auto_hedges'],
  migrations: { 3: hedgesAndPositions, 4: hedgeReceipts },
  project: projectHedges,
  queries: (db: Database) => ({ ...readHedges(db), ...readHedgedFills(db) }),
} satisfies Slice;
