import type { Database } from 'better-sqlite3';
import type { BlacklistEntry } from '../contract/desk-file.ts';
import type { ProjectedEvent, Projections } from './projection.ts';

type Entry = { chainId: number; address: string; reason: string | null; until: number | null; onlyHere?: boolean };
type Row = Omit<Entry, 'onlyHere'> & { onlyHere: number };
type Stamp = { seq: number; time: number; actor: string };

/** Who is on the blacklist, and who was put on it or taken off it when. */
export function projectBlacklist(db: Database): Pick<Projections, 'blacklist_added' | 'blacklist_removed'> {
  const { add, remove } = blacklistTable(db);
  return {
    blacklist_added: (event) => add(event.body, event),
    blacklist_removed: (event) => remove({ ...event.body, until: null }, event),
  };
}

/** An import replaces the list. Entries it repeats word for word stay as they are; the others get a row of history. */
export function replaceBlacklist(db: Database): (event: ProjectedEvent<'desk_configured'>) => void {
  const { add, remove, all } = blacklistTable(db);
  return (event) => {
    const before = new Map(all().map((entry) => [keyOf(entry), entry]));
    const after = new Map<string, Entry>();
    for (const { chainId, blacklist } of event.body.desk.chains) {
      for (const listed of blacklist) {
        const entry = entryOf(chainId, listed);
        after.set(keyOf(entry), entry);
      }
    }
    for (const [key, entry] of before) if (!after.has(key)) remove({ ...entry, reason: null, until: null }, event);
    for (const [key, entry] of after) {
      const known = before.get(key);
      if (
        known === undefined ||
        known.reason !== entry.reason ||
        known.until !== entry.until ||
        known.onlyHere !== entry.onlyHere
      )
        add(entry, event);
    }
  };
}

function blacklistTable(db: Database) {
  const save = db.prepare(`
    INSERT OR REPLACE INTO blacklist (chain_id, address, reason, until, only_here, since, actor)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const erase = db.prepare('DELETE FROM blacklist WHERE chain_id = ? AND address = ?');
  const remember = db.prepare(`
    INSERT INTO blacklist_history (chain_id, seq, address, action, reason, until, only_here)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare<[], Row>(
    'SELECT chain_id AS chainId, address, reason, until, only_here AS onlyHere FROM blacklist ORDER BY rowid',
  );
  return {
    all: () => select.all().map((row): Entry => ({ ...row, onlyHere: row.onlyHere !== 0 })),
    add: ({ chainId, address, reason, until, onlyHere = false }: Entry, { seq, time, actor }: Stamp) => {
      save.run(chainId, address, reason, until, Number(onlyHere), time, actor);
      remember.run(chainId, seq, address, 'added', reason, until, Number(onlyHere));
    },
    remove: ({ chainId, address, reason, until }: Entry, { seq }: Stamp) => {
      erase.run(chainId, address);
      remember.run(chainId, seq, address, 'removed', reason, until, 0);
    },
  };
}

function entryOf(chainId: number, { address, reason, until, onlyHere = false }: BlacklistEntry): Entry {
  return { chainId, address, reason: reason ?? null, until: until === undefined ? null : Date.parse(until), onlyHere };
}

function keyOf({ chainId, address }: Entry): string {
  return `${chainId}/${address}`;
}
