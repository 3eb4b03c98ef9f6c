import type { Database } from 'better-sqlite3';
import type { HandOrder } from '../desk/events.ts';
import { readUnprovenPast } from '../desk/slice.ts';
import { bytesOf } from '../hex-bytes.ts';

/** When the past was last found not to be proven complete, Unix milliseconds, and missing orders signed by hand that no chain has cancelled. */
export type UnprovenPast = { since: number; handOrders: HandOrder[] };

export function readMissingOrders(db: Database) {
  const { unprovenSince, missingByHand } = readUnprovenPast(db);
  const cancelled = db
    .prepare<[Buffer, number], number>(
      'SELECT 1 FROM cancels WHERE order_hash = ? AND chain_id = ? AND reverted = 0 LIMIT 1',
    )
    .pluck();
  return {
    /** What the journal may lack; null when it was always proven complete. */
    unprovenPast: (): UnprovenPast | null => {
      const since = unprovenSince();
      if (since === null) return null;
      const handOrders = missingByHand().filter(
        ({ chainId, orderHash }) => cancelled.get(bytesOf(orderHash), chainId) === undefined,
      );
      return { since, handOrders };
    },
  };
}
