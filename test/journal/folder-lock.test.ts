import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { isFolderTaken, takeFolderLock } from '../../electron/journal/folder-lock.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { startChild } from './child-process.ts';
import { openTestJournal, temporaryFolder } from './fixture.ts';
import { quote, START } from './sample-events.ts';

const locked = { code: 'folder_locked' };
const errorOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

test('a folder is taken once, and again after it was released', () => {
  const folder = temporaryFolder();
  const lock = takeFolderLock(folder);
  expect(errorOf(() => takeFolderLock(folder))).toMatchObject(locked);
  expect(errorOf(() => takeFolderLock(join(folder, '..', folder.split('/').at(-1) ?? '')))).toMatchObject(locked);
  lock.release();
  lock.release();
  takeFolderLock(folder).release();
});

test('another process cannot take a folder that is held, until the holder is killed', async () => {
  const folder = temporaryFolder();
  const holder = await startChild('hold-folder.ts', [folder]);
  expect(errorOf(() => takeFolderLock(folder))).toMatchObject(locked);
  await expect(openJournal({ folder, now: () => START })).rejects.toMatchObject(locked);
  expect(isFolderTaken(folder)).toBe(true);
  await holder.kill();
  expect(isFolderTaken(folder)).toBe(false);
  takeFolderLock(folder).release();
});

test('the lock is an exclusive one of SQLite on lock.db', () => {
  const folder = temporaryFolder();
  const lock = takeFolderLock(folder);
  const look = `
    const Database = require('better-sqlite3');
    try { new Database(process.argv[1], { timeout: 0 }).exec('BEGIN IMMEDIATE'); console.log('free'); }
    catch (error) { console.log(error.code); }`;
  const seen = () => execFileSync(process.execPath, ['-e', look, join(folder, 'lock.db')], { encoding: 'utf8' }).trim();
  expect(seen()).toBe('SQLITE_BUSY');
  lock.release();
  expect(seen()).toBe('free');
});

test('an open journal holds its folder, and a closed one frees it', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  await expect(openJournal({ folder, now: () => START })).rejects.toMatchObject(locked);
  await journal.close();
  takeFolderLock(folder).release();
});

test('a journal opened by the holder of the folder leaves the lock to them', async () => {
  const folder = temporaryFolder();
  const lock = takeFolderLock(folder);
  const journal = await openTestJournal(folder);
  await journal.append(quote(1));
  await journal.close();
  expect(errorOf(() => takeFolderLock(folder))).toMatchObject(locked);
  lock.release();
});

test('a folder that cannot be made is a sentence', () => {
  const file = join(temporaryFolder(), 'file');
  new Database(file).exec('CREATE TABLE t (x)').close();
  expect(errorOf(() => takeFolderLock(join(file, 'desk')))).toMatchObject({ code: 'folder_unusable' });
});
