import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { takeFolderLock } from '../../electron/journal/folder-lock.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import { putBackJournal } from '../../electron/journal/put-back.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { temporaryFolder } from './fixture.ts';
import { quote, START } from './sample-events.ts';

const AT = Date.UTC(2026, 10, 23, 10);

/** A desk's folder with a backup of its first two rows and one row more, armed, and with nobody on it. */
async function ended() {
  const [folder, place] = [temporaryFolder(), join(temporaryFolder(), 'state')];
  const open = () => openJournal({ folder, now: () => START, witness: place, log: { warn() {} } });
  const journal = await open();
  await journal.append(quote(1));
  await journal.append(quote(2));
  const backup = join(temporaryFolder(), 'backup.db');
  await journal.backup(backup);
  await journal.append(quote(3));
  await journal.close();
  writeFileSync(join(folder, 'armed'), '{}');
  return { folder, place, backup, open };
}

/** Why the desk doubts that its journal is its whole past. */
async function doubtsOf(opening: ReturnType<typeof openJournal>): Promise<readonly string[]> {
  const journal = await opening;
  onTestFinished(() => journal.close());
  return journal.doubts;
}

test('a backup that is put back starts HALTED and in doubt: head and witness know of the row that it lacks', async () => {
  const { folder, backup, open } = await ended();
  const done = await putBackJournal(folder, backup, AT);
  expect(done).toEqual({
    rows: 2,
    lastAt: expect.any(Number),
    kept: join(folder, 'journal.db.before-2026-11-23T10-00-00-000Z'),
    missing: [],
  });
  expect(existsSync(join(folder, 'armed'))).toBe(false);
  const kept = new Database(done.kept ?? '', { readonly: true });
  expect(kept.prepare('SELECT max(seq) FROM journal').pluck().get()).toBe(3);
  kept.close();
  expect(await doubtsOf(open())).toContainEqual(expect.stringContaining('ends at row 2, but row 3 was written'));
  expect(await verifyJournal(folder)).toMatchObject({ ok: false });
});

test('a backup in a folder without a journal is in doubt as well: nobody there knows what was signed since', async () => {
  const { backup } = await ended();
  const folder = temporaryFolder();
  expect(await putBackJournal(folder, backup, AT)).toMatchObject({ rows: 2, kept: null });
  const place = join(temporaryFolder(), 'state');
  const opening = openJournal({ folder, now: () => START, witness: place, log: { warn() {} } });
  expect(await doubtsOf(opening)).not.toEqual([]);
});

test('what is damaged, cut, of another program, the journal itself or not there is not put back, and nothing changes', async () => {
  const { folder, backup } = await ended();
  const elsewhere = temporaryFolder();
  const changed = join(elsewhere, 'changed.db');
  copyFileSync(backup, changed);
  const db = new Database(changed);
  db.exec('DROP TRIGGER IF EXISTS journal_no_update');
  for (const name of db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
    db.exec(`DROP TRIGGER "${name}"`);
  db.exec("UPDATE journal SET actor = 'somebody else' WHERE seq = 1");
  db.close();
  const newer = join(elsewhere, 'newer.db');
  copyFileSync(backup, newer);
  const later = new Database(newer);
  later.pragma('user_version = 10000');
  later.close();
  const noise = join(elsewhere, 'noise.db');
  writeFileSync(noise, 'this is no database at all, whatever its name says');
  const before = readdirSync(folder).sort();
  const bytes = readFileSync(journalFile(folder));
  for (const [file, code] of [
    [changed, 'journal_broken'],
    [newer, 'journal_newer'],
    [noise, 'journal_foreign'],
    [journalFile(folder), 'backup_onto_itself'],
    [join(elsewhere, 'none.db'), 'no_file'],
    ['backup.db', 'no_file'],
  ] as const) {
    await expect(putBackJournal(folder, file, AT), file).rejects.toMatchObject({ code });
  }
  expect(
    readdirSync(folder)
      .sort()
      .filter((name) => !name.startsWith('lock.db')),
  ).toEqual(before.filter((name) => !name.startsWith('lock.db')));
  expect(readFileSync(journalFile(folder)).equals(bytes)).toBe(true);
});

test('while a desk runs on the folder nothing is put back', async () => {
  const { folder, backup } = await ended();
  const lock = takeFolderLock(folder);
  onTestFinished(() => lock.release());
  await expect(putBackJournal(folder, backup, AT)).rejects.toMatchObject({ code: 'folder_locked' });
  expect(existsSync(join(folder, 'armed'))).toBe(true);
});
