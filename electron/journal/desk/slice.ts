import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { type Heartbeat, heartbeatSchema } from '../../contract/desk-view.ts';
import { chainIdSchema } from '../../contract/names.ts';
import { DESK_EVENTS } from '../events.ts';
import type { Slice } from '../slice.ts';
import { projectUnprovenPast, readUnprovenPast, unprovenPasts } from './unproven-past.ts';

const TABLES = `
CREATE TABLE heartbeats (
  chain_id INTEGER NOT NULL,
  endpoint TEXT NOT NULL,
  at INTEGER NOT NULL,
  by TEXT,
  status INTEGER NOT NULL,
  PRIMARY KEY (chain_id, endpoint)
) STRICT;
`;

const heartbeatWriteSchema = z.object({
  table: z.literal('heartbeats'),
  chainId: chainIdSchema,
  beat: heartbeatSchema,
});
type StoredHeartbeat = { chainId: number; beat: Heartbeat };

/** Starts of the desk, what was not proven then, and who asks for what. */
export const DESK = {
  events: DESK_EVENTS,
  tables: ['unproven_pasts'],
  migrations: { 1: (db) => void db.exec(TABLES), 10: unprovenPasts },
  project: projectUnprovenPast,
  plain: { heartbeats: heartbeatWriteSchema },
  writePlain: (db) => {
    const save = db.prepare(
      'INSERT OR REPLACE INTO heartbeats (chain_id, endpoint, at, by, status) VALUES (?, ?, ?, ?, ?)',
    );
    return {
      heartbeats: ({ chainId, beat: { endpoint, at, by, status } }: z.infer<typeof heartbeatWriteSchema>) =>
        void save.run(chainId, endpoint, at, by, status),
    };
  },
  queries: (db: Database) => {
    const beats = db.prepare<[], Heartbeat & { chainId: number }>(
      'SELECT chain_id AS chainId, endpoint, at, by, status FROM heartbeats',
    );
    return {
      ...readUnprovenPast(db),
      heartbeats: (): StoredHeartbeat[] => beats.all().map(({ chainId, ...beat }) => ({ chainId, beat })),
    };
  },
} satisfies Slice;
