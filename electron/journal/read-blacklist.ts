import type { Database } from 'better-sqlite3';
import type { BlacklistChange } from './stored.ts';

/** Who was put on a chain's blacklist and taken off it. */
export function readBlacklist(db: Database) {
  const history = db.prepare<[number, number], Omit<BlacklistChange, 'onlyHere'> & { onlyHere: number }>(`
    SELECT h.seq, j.time, j.actor, h.address, h.action, h.reason, h.until, h.only_here AS onlyHere
    FROM blacklist_history h JOIN journal j ON j.seq = h.seq
    WHERE h.chain_id = ? ORDER BY h.seq DESC, h.address LIMIT ?`);
  return {
    /** Newest first. */
    blacklistHistory: (chainId: number, limit: number): BlacklistChange[] =>
      history.all(chainId, limit).map((row) => ({ ...row, onlyHere: row.onlyHere !== 0 })),
  };
}
