import type { Database } from 'better-sqlite3';
import type { EventBody, HandOrder } from '../events.ts';
import { bytesOf } from '../hex-bytes.ts';
import type { Projections } from '../projection.ts';

/** The starts at which the past was not proven complete, by their rows. */
export function unprovenPasts(db: Database): void {
  db.exec('CREATE TABLE unproven_pasts (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL) STRICT');
}

export function projectUnprovenPast(db: Database): Pick<Projections, 'past_unproven'> {
  // Of rows that were cut off the journal the tables may still hold what they said, and that keeps no desk from saying so.
  const insert = db.prepare('INSERT OR REPLACE INTO unproven_pasts (seq, time) VALUES (?, ?)');
  return {
    past_unproven: ({ seq, time }) => {
      insert.run(seq, time);
    },
  };
}

/** When the past was last found not to be proven complete, Unix milliseconds, and missing orders signed by hand that no chain has cancelled. */
export type UnprovenPast = { since: number; handOrders: HandOrder[] };

export function readUnprovenPast(db: Database) {
  const all = db.prepare<[], { time: number; body: string }>(`
    SELECT p.time, coalesce(j.body, '{}') AS body
    FROM unproven_pasts p LEFT JOIN journal j ON j.seq = p.seq AND j.kind = 'past_unproven' ORDER BY p.seq`);
  const cancelled = db
    .prepare<[Buffer, number], number>(
      'SELECT 1 FROM cancels WHERE order_hash = ? AND chain_id = ? AND reverted = 0 LIMIT 1',
    )
    .pluck();
  // What these rows say was checked when they were written.
  const missingIn = ({ body }: { body: string }) => (JSON.parse(body) as EventBody<'past_unproven'>).handOrders ?? [];
  return {
    /** The orders signed by hand that were ever said to be missing. */
    missingByHand: (): HandOrder[] => all.all().flatMap(missingIn),
    /** What the journal may lack; null when it was always proven complete. */
    unprovenPast: (): UnprovenPast | null => {
      const rows = all.all();
      const last = rows.at(-1);
      if (last === undefined) return null;
      const handOrders = rows
        .flatMap(missingIn)
        .filter(({ chainId, orderHash }) => cancelled.get(bytesOf(orderHash), chainId) === undefined);
      return { since: last.time, handOrders };
    },
  };
}
