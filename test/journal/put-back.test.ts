import fs, { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
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

/** Work as a kill at its nth call to the disk leaves it: that call and all later ones do nothing. Gives the calls that were made. */
async function killedAt(nth: number, work: () => Promise<unknown>): Promise<number> {
  const calls = ['linkSync', 'renameSync', 'rmSync', 'copyFileSync', 'fsyncSync'] as const;
  const real = calls.map((name) => [name, fs[name]] as const);
  let made = 0;
  for (const [name, call] of real) {
    const patched = (...args: never[]) => {
      if (made === nth) throw new Error('killed');
      made += 1;
      return (call as (...all: never[]) => unknown)(...args);
    };
    Object.assign(fs, { [name]: patched });
  }
  syncBuiltinESMExports();
  try {
    await work().catch(() => {});
  } finally {
    for (const [name, call] of real) Object.assign(fs, { [name]: call });
    syncBuiltinESMExports();
  }
  return made;
}

/** A folder as a kill left it: its third row is in the -wal file alone. */
async function killedDesk() {
  const { folder, backup, open } = await ended();
  const left = join(temporaryFolder());
  const journal = await open();
  await journal.append(quote(4));
  for (const name of ['journal.db', 'journal.db-wal', 'journal.head', 'armed']) {
    copyFileSync(join(folder, name), join(left, name));
  }
  await journal.close();
  const again = () => {
    const copy = temporaryFolder();
    for (const name of readdirSync(left)) copyFileSync(join(left, name), join(copy, name));
    return copy;
  };
  return { again, backup, rows: 4 };
}

const lastRowOf = (file: string) => {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare<[], number>('SELECT max(seq) FROM journal').pluck().get();
  } finally {
    db.close();
  }
};

test('a kill at any instant of putting back leaves the old journal whole or the new one, and the next start says so', async () => {
  const { again, backup, rows } = await killedDesk();
  const alone = again();
  fs.rmSync(join(alone, 'journal.db-wal'));
  expect(lastRowOf(journalFile(alone))).toBeLessThan(rows);
  const seen = new Set<number | undefined>();
  let last = '';
  for (let [nth, isKilled] = [0, true]; isKilled; nth += 1) {
    const folder = again();
    isKilled = (await killedAt(nth, () => putBackJournal(folder, backup, AT))) === nth;
    const now = lastRowOf(journalFile(folder));
    expect([2, rows], `call ${nth}`).toContain(now);
    for (const name of readdirSync(folder).filter((entry) => /before-.*Z$/.test(entry))) {
      expect(lastRowOf(join(folder, name)), `call ${nth}`).toBe(rows);
    }
    if (now === rows && existsSync(`${journalFile(folder)}.put-back`)) last = folder;
    seen.add(now);
  }
  expect([...seen]).toEqual([rows, 2]);
  const said: string[] = [];
  const journal = await openJournal({ folder: last, now: () => START, log: { warn: (line) => void said.push(line) } });
  onTestFinished(() => journal.close());
  expect(said).toContainEqual(expect.stringContaining('interrupted: this is the journal of before'));
  expect(journal.head().seq).toBe(rows);
  expect(readdirSync(last).filter((name) => /before-|put-back/.test(name) && !name.endsWith('-shm'))).toEqual([]);
});

test('a journal too damaged to be opened is kept with its -wal file; where a kill leaves none in place a start refuses the folder', async () => {
  const { again, backup } = await killedDesk();
  const parts = ['journal.db', 'journal.db-wal'];
  const noise = parts.map((name) =>
    Buffer.from(`noise that was ${name}, longer than any header of a file of SQLite is. `.repeat(9)),
  );
  const damaged = () => {
    const folder = again();
    for (const [index, name] of parts.entries()) writeFileSync(join(folder, name), noise[index] ?? '');
    return folder;
  };
  const isNoise = (base: string, ends: string[]) =>
    ends.every(
      (end, index) => existsSync(`${base}${end}`) && readFileSync(`${base}${end}`).equals(noise[index] ?? Buffer.of()),
    );
  let refused = 0;
  for (let [nth, isKilled] = [0, true]; isKilled; nth += 1) {
    const folder = damaged();
    const [own, kept] = [journalFile(folder), `${journalFile(folder)}.before-2026-11-23T10-00-00-000Z`];
    isKilled = (await killedAt(nth, () => putBackJournal(folder, backup, AT))) === nth;
    expect(
      [own, kept].some((base) => isNoise(base, ['', '-wal'])),
      `call ${nth}`,
    ).toBe(true);
    if (existsSync(own)) {
      if (!isNoise(own, [''])) expect(lastRowOf(own), `call ${nth}`).toBe(2);
      continue;
    }
    refused += 1;
    if (refused > 1) continue;
    await expect(openJournal({ folder, now: () => START })).rejects.toMatchObject({ code: 'journal_missing' });
    await expect(putBackJournal(folder, join(folder, 'none.db'), AT)).rejects.toMatchObject({ code: 'no_file' });
    expect(await putBackJournal(folder, backup, AT)).toMatchObject({ rows: 2 });
    expect(lastRowOf(own)).toBe(2);
  }
  expect(refused).toBeGreaterThan(0);
});

test('where the backup cannot come into place the old journal is there as it was, and the error says what to do', async () => {
  const { again, backup, rows } = await killedDesk();
  const folder = again();
  const real = fs.renameSync;
  const own = journalFile(folder);
  Object.assign(fs, {
    renameSync: (from: string, to: string) => {
      if (to === own || from.startsWith(`${own}-`)) throw new Error('EPERM');
      real(from, to);
    },
  });
  syncBuiltinESMExports();
  try {
    await expect(putBackJournal(folder, backup, AT)).rejects.toMatchObject({ code: 'backup_failed' });
  } finally {
    Object.assign(fs, { renameSync: real });
    syncBuiltinESMExports();
  }
  expect(lastRowOf(own)).toBe(rows);
  expect(readdirSync(folder).filter((name) => /before-|put-back/.test(name))).toEqual([]);
});
