import { copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
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
  const bytes = await journal.backup(target);
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

test('a backup replaces an older one of the same name only when it is whole', async () => {
  const journal = await openTestJournal();
  await journal.append(quote(1));
  const folder = temporaryFolder();
  const target = join(folder, 'journal.db');
  writeFileSync(target, 'older');
  await journal.backup(target);
  expect(statSync(target).size).toBeGreaterThan(1_000);
  expect(readdirSync(folder)).toEqual(['journal.db']);
});

test('a backup onto the journal itself, or where nothing can be written, is refused and leaves nothing', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  for (const name of ['journal.db', 'journal.db-wal']) {
    await expect(journal.backup(join(folder, name))).rejects.toMatchObject({ code: 'backup_onto_itself' });
  }
  const nowhere = join(folder, 'missing', 'journal.db');
  await expect(journal.backup(nowhere)).rejects.toMatchObject({ code: 'backup_failed' });
  expect(existsSync(join(folder, 'missing'))).toBe(false);
  expect(await journal.append(quote(1))).toBe(1);
});
