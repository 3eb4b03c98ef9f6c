import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { type Heartbeat, heartbeatSchema } from '../../contract/desk-view.ts';
import { chainIdSchema } from '../../contract/names.ts';
import { inTurn, type ProjectionsOf, type Slice } from '../slice.ts';
import { DESK_EVENTS, type HandOrder } from './events.ts';
import { tellDesk } from './tell.ts';
import { projectTransactions, readTransactions, transactionCosts } from './transactions.ts';

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

/** Starts of the desk, what was not proven then, its own transactions, and who asks for what. */
export const DESK = {
  events: DESK_EVENTS,
  tables: ['unproven_pasts', 'transactions'],
  migrations: { 1: (db) => void db.exec(TABLES), 10: unprovenPasts, 13: transactionCosts },
  project: (db: Database) => inTurn(projectUnprovenPast(db), projectTransactions(db)),
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
  tell: tellDesk,
  queries: (db: Database) => {
    const beats = db.prepare<[], Heartbeat & { chainId: number }>(
      'SELECT chain_id AS chainId, endpoint, at, by, status FROM heartbeats',
    );
    const revoked = db
      .prepare<[], string>(
        `SELECT DISTINCT body ->> '$.fingerprint' FROM main.journal
         WHERE kind <> 'quote' AND kind = 'token_revoked' AND body ->> '$.fingerprint' IS NOT NULL`,
      )
      .pluck();
    return {
      ...readTransactions(db),
      /** Fingerprints of the hashes of tokens that were revoked. */
      revokedTokens: (): string[] => revoked.all(),
      heartbeats: (): StoredHeartbeat[] => beats.all().map(({ chainId, ...beat }) => ({ chainId, beat })),
    };
  },
} satisfies Slice;

/** The starts at which the past was not proven complete, by their rows. */
function unprovenPasts(db: Database): void {
  db.exec('CREATE TABLE unproven_pasts (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL) STRICT');
}

function projectUnprovenPast(db: Database): Pick<ProjectionsOf<typeof DESK_EVENTS>, 'past_unproven'> {
  // Of rows that were cut off the journal the tables may still hold what they said, and that keeps no desk from saying so.
  const insert = db.prepare('INSERT OR REPLACE INTO unproven_pasts (seq, time) VALUES (?, ?)');
  return {
    past_unproven: ({ seq, time }) => {
      insert.run(seq, time);
    },
  };
}

/** The starts at which the past was not proven complete, and the orders signed by hand that were said to be missing. */
export function readUnprovenPast(db: Database) {
  const all = db.prepare<[], { time: number; body: string }>(`
    SELECT p.time, coalesce(j.body, '{}') AS body
    FROM unproven_pasts p LEFT JOIN journal j ON j.seq = p.seq AND j.kind = 'past_unproven' ORDER BY p.seq`);
  // What these rows say was checked when they were written.
  const missingIn = ({ body }: { body: string }) =>
    (JSON.parse(body) as z.infer<typeof DESK_EVENTS.past_unproven>).handOrders ?? [];
  const lastOf = db.prepare<[], { row: number; time: number; body: string }>(`
    SELECT p.seq AS row, p.time, j.body
    FROM unproven_pasts p JOIN main.journal j ON j.seq = p.seq AND j.kind = 'past_unproven' ORDER BY p.seq DESC LIMIT 1`);
  const resumedAfter = db.prepare<[number], number>(`
    SELECT 1 FROM main.journal
    WHERE seq > ? AND kind <> 'quote' AND kind = 'trading_state' AND body ->> '$.state' = 'LIVE'
      AND body ->> '$.scope' = '{}' LIMIT 1`);
  return {
    /** The last start at which it was not proven, while nobody has resumed the desk since. `time` in Unix milliseconds. */
    unacceptedPast: (): { row: number; time: number; why: string[] } | null => {
      const last = lastOf.get();
      if (last === undefined || resumedAfter.get(last.row) !== undefined) return null;
      const { why } = JSON.parse(last.body) as z.infer<typeof DESK_EVENTS.past_unproven>;
      return { row: last.row, time: last.time, why };
    },
    /** When it was last not proven, Unix milliseconds; null when it always was. */
    unprovenSince: (): number | null => all.all().at(-1)?.time ?? null,
    /** The orders signed by hand that were ever said to be missing. */
    missingByHand: (): HandOrder[] => all.all().flatMap(missingIn),
  };
}
