import type { Database } from 'better-sqlite3';
import type { BlacklistEntry, ChainConfig } from '../../contract/desk-file.ts';
import type { Address } from '../../protocol/address.ts';
import { type BlacklistedUser, type ChainEvent, foldBlacklisted } from './fold.ts';

/** A user on a chain's blacklist. */
export type StoredBlacklistEntry = BlacklistedUser & { chainId: number };
export type BlacklistChange = Omit<BlacklistedUser, 'since'> & {
  seq: number;
  time: number;
  action: 'added' | 'removed';
};

type Row<Entry> = Omit<Entry, 'onlyHere'> & { onlyHere: number };
type Stamp = { seq: number; time: number; actor: string };

/** Entries of the blacklist say whether this desk alone blacklists the user: 1, or 0 where the service is told too. */
export function barsOfThisDesk(db: Database): void {
  db.exec(`
    ALTER TABLE blacklist ADD COLUMN only_here INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE blacklist_history ADD COLUMN only_here INTEGER NOT NULL DEFAULT 0;`);
}

/** Who is on the blacklist, and who was put on it or taken off it when. */
export function projectBlacklist(db: Database) {
  const save = db.prepare(`
    INSERT OR REPLACE INTO blacklist (chain_id, address, reason, until, only_here, since, actor)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const erase = db.prepare('DELETE FROM blacklist WHERE chain_id = ? AND address = ?');
  const remember = db.prepare(`
    INSERT INTO blacklist_history (chain_id, seq, address, action, reason, until, only_here)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const { blacklist } = readBlacklist(db);

  const add = (seq: number, chainId: number, { address, reason, until, onlyHere, since, actor }: BlacklistedUser) => {
    save.run(chainId, address, reason, until, Number(onlyHere), since, actor);
    remember.run(chainId, seq, address, 'added', reason, until, Number(onlyHere));
  };
  const remove = (seq: number, chainId: number, address: Address, reason: string | null) => {
    erase.run(chainId, address);
    remember.run(chainId, seq, address, 'removed', reason, null, 0);
  };
  return {
    change: (event: Extract<ChainEvent, { kind: 'blacklist_added' | 'blacklist_removed' }> & { seq: number }) => {
      const { chainId, address, reason } = event.body;
      const after = foldBlacklisted(undefined, event);
      if (after === undefined) remove(event.seq, chainId, address, reason);
      else add(event.seq, chainId, after);
    },
    /** An import replaces the list. Entries it repeats word for word stay as they are; the others get a row of history. */
    replace: ({ seq, time, actor }: Stamp, chains: readonly ChainConfig[]) => {
      const before = new Map(blacklist().map((entry) => [keyOf(entry), entry]));
      const after = new Map<string, StoredBlacklistEntry>();
      for (const { chainId, blacklist: listed } of chains) {
        for (const said of listed) {
          const entry = { chainId, ...entryOf(said), since: time, actor };
          after.set(keyOf(entry), entry);
        }
      }
      for (const [key, { chainId, address }] of before) if (!after.has(key)) remove(seq, chainId, address, null);
      for (const [key, entry] of after) if (!saysTheSame(before.get(key), entry)) add(seq, entry.chainId, entry);
    },
  };
}

/** Who is on the blacklist, and who was put on it and taken off it. */
export function readBlacklist(db: Database) {
  const all = db.prepare<[], Row<StoredBlacklistEntry>>(`
    SELECT chain_id AS chainId, address, reason, until, only_here AS onlyHere, since, actor
    FROM blacklist ORDER BY rowid`);
  const history = db.prepare<[number, number], Row<BlacklistChange>>(`
    SELECT h.seq, j.time, j.actor, h.address, h.action, h.reason, h.until, h.only_here AS onlyHere
    FROM blacklist_history h JOIN journal j ON j.seq = h.seq
    WHERE h.chain_id = ? ORDER BY h.seq DESC, h.address LIMIT ?`);
  return {
    blacklist: (): StoredBlacklistEntry[] => all.all().map((row) => ({ ...row, onlyHere: row.onlyHere !== 0 })),
    /** Newest first. */
    blacklistHistory: (chainId: number, limit: number): BlacklistChange[] =>
      history.all(chainId, limit).map((row) => ({ ...row, onlyHere: row.onlyHere !== 0 })),
  };
}

function entryOf({ address, reason, until, onlyHere = false }: BlacklistEntry) {
  return { address, reason: reason ?? null, until: until === undefined ? null : Date.parse(until), onlyHere };
}

function saysTheSame(known: BlacklistedUser | undefined, { reason, until, onlyHere }: BlacklistedUser): boolean {
  return known?.reason === reason && known.until === until && known.onlyHere === onlyHere;
}

function keyOf({ chainId, address }: { chainId: number; address: Address }): string {
  return `${chainId}/${address}`;
}
