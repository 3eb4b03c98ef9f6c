import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { barsOfThisDesk } from '../../electron/journal/book/blacklist.ts';
import { migrate, schemaVersion } from '../../electron/journal/migrate.ts';
import { migrationsOf } from '../../electron/journal/migrations.ts';
import { journalFile, openForWriting } from '../../electron/journal/open-database.ts';
import type { Migration } from '../../electron/journal/slice.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { openDirectly, openTestJournal, temporaryFolder } from './fixture.ts';
import { fill, quote, REFUSED, reverted } from './sample-events.ts';

const addNote: Migration = (db) => db.exec("ALTER TABLE quotes ADD COLUMN note TEXT; UPDATE quotes SET note = 'old'");
const columns = (db: Database.Database) => db.pragma('table_info(quotes)') as { name: string }[];
const hasNote = (db: Database.Database) => columns(db).some(({ name }) => name === 'note');

async function folderWithQuotes(): Promise<string> {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  await Promise.all([1, 2, 3].map((number) => journal.append(quote(number))));
  await journal.close();
  return folder;
}

test('a new file gets the newest schema, in STRICT tables, and no backup', async () => {
  const folder = temporaryFolder();
  await (await openTestJournal(folder)).close();
  const db = new Database(journalFile(folder));
  expect(schemaVersion(db)).toBe(migrationsOf(SLICES).length);
  const tables = db
    .prepare("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .all();
  expect(tables.length).toBeGreaterThan(15);
  for (const table of tables) if (!/sqlite_/.test(JSON.stringify(table))) expect(table).toMatchObject({ strict: 1 });
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  db.close();
  expect(readdirSync(folder).sort()).toEqual(['journal.db', 'journal.head', 'lock.db']);
});

test('a step takes schema and version together, after a backup that verifies', async () => {
  const folder = await folderWithQuotes();
  const db = openForWriting(journalFile(folder));
  migrate(db, journalFile(folder), [...migrationsOf(SLICES), addNote]);
  expect(schemaVersion(db)).toBe(migrationsOf(SLICES).length + 1);
  expect(db.prepare('SELECT DISTINCT note FROM quotes').pluck().all()).toEqual(['old']);
  db.close();

  const restored = temporaryFolder();
  copyFileSync(`${journalFile(folder)}.before-schema-${migrationsOf(SLICES).length + 1}`, journalFile(restored));
  copyFileSync(join(folder, 'journal.head'), join(restored, 'journal.head'));
  expect(await verifyJournal(restored)).toMatchObject({ ok: true, total: 3 });
  const journal = await openTestJournal(restored);
  expect(await journal.append(quote(4))).toBe(4);
});

test('the version is written within the transaction of its step', async () => {
  const folder = await folderWithQuotes();
  const db = openForWriting(journalFile(folder));
  const seen: boolean[] = [];
  const pragma = db.pragma.bind(db);
  db.pragma = (source, options) => {
    if (/^user_version =/.test(source)) seen.push(db.inTransaction);
    return pragma(source, options);
  };
  migrate(db, journalFile(folder), [...migrationsOf(SLICES), addNote, () => {}]);
  expect(seen).toEqual([true, true]);
  db.close();
});

test('a new file takes all steps in one: the disk is waited for once, and where a step fails there is nothing', () => {
  const file = journalFile(temporaryFolder());
  const db = openForWriting(file);
  const fails: Migration = (made) => made.exec('INSERT INTO nowhere VALUES (1)');
  expect(() => migrate(db, file, [...migrationsOf(SLICES), fails])).toThrow('nowhere');
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck();
  expect([schemaVersion(db), tables.get()]).toEqual([0, 0]);
  migrate(db, file, migrationsOf(SLICES));
  expect(schemaVersion(db)).toBe(migrationsOf(SLICES).length);
  db.close();
});

test('a step that fails changes nothing', async () => {
  const folder = await folderWithQuotes();
  const db = openForWriting(journalFile(folder));
  const halfway: Migration = (file) => {
    addNote(file);
    file.exec('INSERT INTO nowhere VALUES (1)');
  };
  expect(() => migrate(db, journalFile(folder), [...migrationsOf(SLICES), halfway])).toThrow();
  expect(schemaVersion(db)).toBe(migrationsOf(SLICES).length);
  expect(hasNote(db)).toBe(false);
  db.close();
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
});

test('a step is not taken without its backup', async () => {
  const folder = await folderWithQuotes();
  const db = openForWriting(journalFile(folder));
  writeFileSync(join(folder, 'occupied'), '');
  const file = join(folder, 'occupied', 'journal.db');
  expect(() => migrate(db, file, [...migrationsOf(SLICES), addNote])).toThrow(
    expect.objectContaining({ code: 'backup_failed' }),
  );
  expect(hasNote(db)).toBe(false);
  db.close();
});

test('a file of a newer program is refused and left alone', async () => {
  const folder = await folderWithQuotes();
  const db = new Database(journalFile(folder));
  db.pragma(`user_version = ${migrationsOf(SLICES).length + 1}`);
  db.close();
  await expect(openTestJournal(folder)).rejects.toMatchObject({ code: 'journal_newer' });
  expect(readdirSync(folder).some((name) => name.includes('before-schema'))).toBe(false);
});

test('a journal of the first schema counts volumes and fills as one that was written with the second', async () => {
  const folder = temporaryFolder();
  const { db, write } = openDirectly(folder);
  write(quote(1), quote(2, { side: 'bids' }), quote(3, REFUSED), fill(1, 1), fill(2, 2), fill(1, 3));
  write(reverted(4, 1));
  const hours = () => db.prepare('SELECT * FROM pair_hours ORDER BY 1, 2, 3, 4').all();
  const written = hours();
  expect(written).toMatchObject([
    { signed: 1, filled: 1 },
    { signed: 1, refused: 1, filled: 1 },
  ]);
  db.exec(`DROP TABLE pair_hours; CREATE TABLE quote_hours (hour INTEGER) STRICT`);
  db.pragma('user_version = 1');
  migrate(db, journalFile(folder), migrationsOf(SLICES).slice(0, 2));
  expect(hours()).toEqual(written);
});

test('a blacklist from before bars by this desk alone is one that the service reads', () => {
  const { db, queries } = openDirectly();
  db.exec(
    'DROP VIEW temp.journal; ALTER TABLE blacklist DROP COLUMN only_here; ALTER TABLE blacklist_history DROP COLUMN only_here',
  );
  db.prepare('INSERT INTO blacklist (chain_id, address, since, actor) VALUES (1, ?, 5, ?)').run('0x1', 'ops');
  barsOfThisDesk(db);
  expect(queries.storedBook().blacklist).toMatchObject([{ address: '0x1', onlyHere: false }]);
});

test('a database of another program, and a file that is none, are refused and left alone', async () => {
  const foreign = temporaryFolder();
  const db = new Database(journalFile(foreign));
  db.exec('CREATE TABLE recipes (title TEXT)');
  db.close();
  await expect(openTestJournal(foreign)).rejects.toMatchObject({ code: 'journal_foreign' });

  const nonsense = temporaryFolder();
  writeFileSync(journalFile(nonsense), 'not a database, but long enough to be one'.repeat(200));
  await expect(openTestJournal(nonsense)).rejects.toMatchObject({ code: 'journal_failed' });
  expect(existsSync(join(nonsense, 'journal.head'))).toBe(false);
});
