import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Journal } from '../../electron/journal/journal.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import type { DeskError } from '../../electron/protocol/desk-error.ts';
import { openDirectly, openTestJournal, temporaryFolder } from './fixture.ts';
import { quote } from './sample-events.ts';

const failed = { code: 'journal_failed' };

/** Appends until the journal fails; gives what was told about it, and the last row that was answered. */
async function appendUntilFailure(journal: Journal, requestBody: string) {
  const told: DeskError[] = [];
  journal.onFailure((error) => told.push(error));
  let last = journal.head().seq;
  for (let number = 1_000; told.length === 0 && number < 21_000; number += 20) {
    const group = Array.from({ length: 20 }, (_, index) => journal.append(quote(number + index, { requestBody })));
    for (const outcome of await Promise.allSettled(group)) {
      if (outcome.status === 'fulfilled') last = outcome.value;
      else expect(outcome.reason).toMatchObject(failed);
    }
  }
  return { told, last };
}

async function expectFailedForGood(journal: Journal, told: DeskError[]): Promise<void> {
  await expect(journal.append(quote(1))).rejects.toMatchObject(failed);
  await expect(journal.put({ table: 'settings', key: 'x', value: 1 })).rejects.toMatchObject(failed);
  expect(told).toHaveLength(1);
  const late: DeskError[] = [];
  journal.onFailure((error) => late.push(error));
  await Promise.resolve();
  expect(late).toEqual(told);
}

test('on a full disk the journal fails once and for good, reads go on, and with room again nothing is lost', async ({
  skip,
}) => {
  const folder = temporaryFolder();
  if (!mountSmallDisk(folder)) skip('a disk of 6 MB can only be mounted as root on Linux');
  const journal = await openTestJournal(folder);
  const { told, last } = await appendUntilFailure(journal, 'x'.repeat(8_000));
  expect(told[0]?.message).toContain('disk is full');
  expect(last).toBeGreaterThan(50);
  await expectFailedForGood(journal, told);
  expect((await journal.read.quote(last))?.seq).toBe(last);
  expect(journal.head().seq).toBe(last);
  await journal.close();

  execFileSync('/bin/mount', ['-o', 'remount,size=32m', folder]);
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
  const again = await openTestJournal(folder);
  expect(again.head().seq).toBeGreaterThanOrEqual(last);
  expect(await again.append(quote(50_000))).toBe(again.head().seq);
  await again.close();
});

function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  onTestFinished(() => {
    execFileSync('/bin/umount', ['--lazy', folder]);
  });
  return true;
}

test('a group that does not fit is not there at all, and the next one follows the last that fitted', () => {
  const { db, write, queries } = openDirectly();
  write(quote(1));
  const pages = Number(db.pragma('page_count', { simple: true }));
  db.pragma(`max_page_count = ${pages + 2}`);
  const large = Array.from({ length: 40 }, (_, number) => quote(100 + number));
  expect(() => write(...large)).toThrow(expect.objectContaining({ code: 'SQLITE_FULL' }));
  expect(queries.logPage({ filter: {}, limit: 10 }).rows).toHaveLength(1);
  db.pragma('max_page_count = 100000');
  expect(write(quote(2), quote(2), quote(3))).toEqual([2, 'journal_row_refused', 3]);
});

test('a journal with a damaged page fails when it comes upon it, and not before', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  await Promise.all(Array.from({ length: 300 }, (_, number) => journal.append(quote(number))));
  await journal.close();
  overwriteRootPage(folder, 'quotes_by_hash');
  const damaged = await openTestJournal(folder);
  const { told, last } = await appendUntilFailure(damaged, '{}');
  expect(told[0]?.message).toContain('damaged');
  expect(last).toBe(300);
  await expectFailedForGood(damaged, told);
});

test('a journal whose rows cannot be read is refused at the start', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  await Promise.all(Array.from({ length: 300 }, (_, number) => journal.append(quote(number))));
  await journal.close();
  overwriteRootPage(folder, 'journal');
  await expect(openTestJournal(folder)).rejects.toMatchObject(failed);
  expect(await verifyJournal(folder)).toMatchObject({ ok: false });
});

function overwriteRootPage(folder: string, name: string): void {
  const db = new Database(journalFile(folder));
  const page = Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name));
  const size = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const file = openSync(journalFile(folder), 'r+');
  writeSync(file, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(file);
}

test('a journal that another program holds locked is a sentence', async () => {
  const folder = temporaryFolder();
  await (await openTestJournal(folder)).close();
  const journal = await openTestJournal(folder);
  const other = new Database(journalFile(folder));
  other.exec('BEGIN IMMEDIATE');
  onTestFinished(() => {
    other.close();
  });
  await expect(journal.append(quote(1))).rejects.toMatchObject(failed);
  other.exec('ROLLBACK');
});

test('a folder that cannot hold a journal is a sentence', async () => {
  const folder = temporaryFolder();
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  await expect(openTestJournal(join(folder, 'desk'))).rejects.toMatchObject({ code: 'folder_unusable' });
});
