import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDeskSocket } from '../../electron/desk/desk-socket.ts';
import { makeDeskFolder } from '../../electron/desk/folder.ts';
import { takeFolderLock } from '../../electron/journal/folder-lock.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import type { DeskError } from '../../electron/protocol/desk-error.ts';
import { runCommand, startDesk } from '../desk/desk-process.ts';
import { temporaryFolder } from '../journal/fixture.ts';
import { quote, START } from '../journal/sample-events.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;
/** Nobody in particular, on any Unix. */
const NOBODY = 65_534;

describe('another user of the machine', () => {
  test('gets at nothing of a folder that was made for all to read: the desk takes that back at every start', () => {
    const folder = join(temporaryFolder(), 'desk');
    mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o755 });
    const elsewhere = join(temporaryFolder(), 'elsewhere');
    writeFileSync(elsewhere, '', { mode: 0o644 });
    symlinkSync(elsewhere, join(folder, 'link'));
    const files = ['journal.db', 'journal.db-shm', 'lock.db', 'keystore.json', 'logs/makerdesk.log'];
    for (let start = 0; start < 2; start += 1) {
      for (const file of files) writeFileSync(join(folder, file), '');
      for (const file of files) chmodSync(join(folder, file), 0o666);
      chmodSync(folder, 0o777);
      makeDeskFolder(folder);
      expect([modeOf(folder), modeOf(join(folder, 'logs'))]).toEqual([0o700, 0o700]);
      expect(files.map((file) => modeOf(join(folder, file)))).toEqual(files.map(() => 0o600));
    }
    expect(modeOf(elsewhere)).toBe(0o644);
  });

  test('keeps all rights to a folder that is no desk’s: no command closes it, or puts anything there', async () => {
    const folder = join(temporaryFolder(), 'etc');
    mkdirSync(join(folder, 'ssh'), { recursive: true });
    const files = ['passwd', 'ssh/config', 'desk.json'].map((name) => join(folder, name));
    for (const file of files) writeFileSync(file, '{ "version": 1, "chains": [], "counterparties": [] }');
    for (const file of files) chmodSync(file, 0o644);
    for (const path of [folder, join(folder, 'ssh')]) chmodSync(path, 0o755);
    const names = readdirSync(folder);
    const commands = [
      ['status'],
      ['halt'],
      ['import', join(folder, 'desk.json')],
      ['key', 'new'],
      ['serve'],
      ['practice'],
    ];
    for (const args of commands) {
      const { code, stderr } = await runCommand(folder, args);
      expect([args[0], code]).toEqual([args[0], 1]);
      expect(stderr).toMatch(/is no desk’s: it has other things in it|There is no desk in/);
      expect(readdirSync(folder)).toEqual(names);
      expect([modeOf(folder), modeOf(join(folder, 'ssh')), ...files.map(modeOf)]).toEqual([
        0o755, 0o755, 0o644, 0o644, 0o644,
      ]);
    }
  });

  test('keeps the rights to what lies beside a desk in its folder, into which they do not come any more', () => {
    const folder = temporaryFolder();
    for (const name of ['journal.db', 'desk.json']) writeFileSync(join(folder, name), '');
    for (const name of ['journal.db', 'desk.json']) chmodSync(join(folder, name), 0o644);
    chmodSync(folder, 0o755);
    makeDeskFolder(folder);
    expect(['', 'journal.db', 'desk.json'].map((name) => modeOf(join(folder, name)))).toEqual([0o700, 0o600, 0o644]);
  });

  test('cannot open the socket on which commands reach the desk, from the moment it is there', async () => {
    const path = join(temporaryFolder(), 'desk.sock');
    const opening = openDeskSocket(path, { nameOf: () => 'mara', connect: () => {}, log: { warn: () => {} } });
    expect(modeOf(path)).toBe(0o600);
    const socket = await opening;
    onTestFinished(() => socket.close());
    expect(modeOf(path)).toBe(0o600);
  });

  test('who owns the folder, or a file in it, keeps a desk from starting there, with the command that mends it', ({
    skip,
  }) => {
    if (process.geteuid?.() !== 0) skip('only root can be another user');
    const folder = temporaryFolder();
    makeDeskFolder(folder);
    chmodSync(folder, 0o777);
    expect(asNobody(() => makeDeskFolder(folder))).toMatchObject({
      code: 'folder_open_to_others',
      remedy: expect.stringMatching(/sudo chown -R \S+ '.+' && sudo chmod -R go= '/),
    });
    const own = temporaryFolder();
    makeDeskFolder(own);
    for (const path of [own, join(own, 'logs')]) chownSync(path, NOBODY, NOBODY);
    expect(asNobody(() => makeDeskFolder(own))).toBeNull();
    writeFileSync(join(own, 'planted'), '');
    expect(asNobody(() => makeDeskFolder(own))).toMatchObject({ message: expect.stringContaining('planted') });
    chmodSync(join(own, 'planted'), 0o600); // its owner alone reads it, and that is somebody else
    expect(asNobody(() => makeDeskFolder(own))).toMatchObject({ message: expect.stringContaining('planted') });
  });
});

function asNobody(act: () => void): unknown {
  process.seteuid?.(NOBODY);
  try {
    act();
    return null;
  } catch (error) {
    return error;
  } finally {
    process.seteuid?.(0);
  }
}

describe('a folder on a disk that can only be read', () => {
  test('is refused in a sentence with the remedy, whether a desk was there before or not', async ({ skip }) => {
    for (const before of [[], ['logs']]) {
      const folder = temporaryFolder();
      for (const name of before) mkdirSync(join(folder, name), { mode: 0o700 });
      if (!mountReadOnly(folder)) skip('a disk can only be mounted by root on Linux');
      const failed: Error = await startDesk(folder, 'serve').then(
        () => new Error('it started'),
        (error) => error,
      );
      expect(failed.message).toMatch(/cannot be used for a desk: its disk can only be read.*--data/s);
      expect(failed.message).not.toMatch(/EROFS|SqliteError|at .*\.js:/);
    }
  });
});

function mountReadOnly(folder: string): boolean {
  try {
    execFileSync('/bin/mount', ['--bind', folder, folder], { stdio: 'ignore' });
    onTestFinished(() => {
      execFileSync('/bin/umount', ['--lazy', folder]);
    });
    execFileSync('/bin/mount', ['-o', 'remount,bind,ro', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a hand that removes lock.db under a running desk', () => {
  test('does not make room for a second desk there, also after its pid file is gone', async () => {
    const folder = temporaryFolder();
    const first = await startDesk(folder, 'serve');
    onTestFinished(async () => void (await first.stop()));
    for (const file of readdirSync(folder)) {
      if (/^(lock\.db|desk\.pid)/.test(file)) rmSync(join(folder, file));
    }
    await expect(startDesk(folder, 'serve')).rejects.toThrow('Another desk is running');
  });

  test('is noticed by the desk that holds it', () => {
    const folder = temporaryFolder();
    const lock = takeFolderLock(folder);
    onTestFinished(() => lock.release());
    expect(lock.isInPlace()).toBe(true);
    rmSync(join(folder, 'lock.db'));
    expect(lock.isInPlace()).toBe(false);
    new Database(join(folder, 'lock.db')).exec('BEGIN EXCLUSIVE; COMMIT').close();
    expect(lock.isInPlace()).toBe(false);
  });

  test('cannot make two desks sign into one journal: the second to write stops for good', async () => {
    const folder = temporaryFolder();
    const journal = await openJournal({ folder, now: () => START });
    onTestFinished(() => journal.close());
    await journal.append(quote(1));
    const told: DeskError[] = [];
    journal.onFailure((error) => told.push(error));
    const other = new Database(journalFile(folder));
    other.exec(`INSERT INTO journal SELECT 2, time, actor, kind, body, previous, hash FROM journal WHERE seq = 1`);
    other.close();
    for (const again of [2, 3])
      await expect(journal.append(quote(again))).rejects.toMatchObject({ code: 'journal_failed' });
    expect(told).toHaveLength(1);
    expect(told[0]?.message).toContain('another program');
    expect(journal.head().seq).toBe(1);
  });
});
