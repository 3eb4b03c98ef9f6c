import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { journalFile } from '../../electron/journal/open-database.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { openTestJournal, temporaryFolder } from './fixture.ts';
import { quote } from './sample-events.ts';

test('a backup taken while quotes are written is a whole journal up to some row', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const target = join(temporaryFolder(), 'journal.db');
  const appends = Array.from({ length: 4_000 }, (_, number) => journal.append(quote(number)));
  const before = await appends[1_000];
  const { bytes } = await journal.backup(target);
  await Promise.all(appends);
  expect(statSync(target).size).toBe(bytes);
  const copy = new Database(target, { readonly: true });
  expect(copy.prepare('SELECT max(seq) FROM journal').pluck().get()).toBeGreaterThanOrEqual(before ?? 0);
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  copy.close();

  const restored = temporaryFolder();
  copyFileSync(target, journalFile(restored));
  const second = await openTestJournal(restored);
  await second.append(quote(90_000));
  await second.close();
  expect(await verifyJournal(restored)).toMatchObject({ ok: true });
});

test('a backup is a new file that only its owner reads, and what has that name or a name like it stays as it is', async () => {
  const journal = await openTestJournal();
  await journal.append(quote(1));
  const folder = temporaryFolder();
  const target = join(folder, 'journal.db');
  for (const name of ['journal.db', 'journal.db.part', 'other.db.part']) writeFileSync(join(folder, name), 'older');
  await expect(journal.backup(target)).rejects.toMatchObject({ code: 'backup_exists' });
  await journal.backup(join(folder, 'other.db'));
  expect(statSync(join(folder, 'other.db')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['journal.db', 'journal.db.part', 'other.db', 'other.db.part']);
  for (const name of ['journal.db', 'journal.db.part', 'other.db.part'])
    expect(readFileSync(join(folder, name), 'utf8')).toBe('older');
});

test('a backup into the folder of the desk is refused, by whatever path, and no file there is touched', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  await journal.append(quote(1));
  const link = join(temporaryFolder(), 'link');
  symlinkSync(folder, link);
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, 'keystore.json'), 'the key');
  for (const file of [join(folder, 'keystore.json'), join(folder, 'new.db'), join(folder, 'logs', 'new.db')])
    await expect(journal.backup(file)).rejects.toMatchObject({ code: 'backup_inside_folder' });
  await expect(journal.backup(join(link, 'new.db'))).rejects.toMatchObject({ code: 'backup_inside_folder' });
  expect(readFileSync(join(folder, 'keystore.json'), 'utf8')).toBe('the key');
  expect(readdirSync(folder)).not.toContain('new.db');
});

test('a backup onto the journal itself, or where nothing can be written, is refused and leaves nothing', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  for (const name of ['journal.db', 'journal.db-wal']) {
    await expect(journal.backup(join(folder, name))).rejects.toMatchObject({ code: 'backup_onto_itself' });
  }
  const nowhere = join(temporaryFolder(), 'missing', 'journal.db');
  await expect(journal.backup(nowhere)).rejects.toMatchObject({ code: 'backup_failed' });
  expect(existsSync(nowhere)).toBe(false);
  expect(await journal.append(quote(1))).toBe(1);
});
