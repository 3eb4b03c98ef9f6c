import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { deskSocketPath } from '../../electron/desk/folder.ts';
import { openRooms } from '../../electron/desk/rooms.ts';
import { takeFolderLock } from '../../electron/journal/folder-lock.ts';
import { temporaryFolder } from '../journal/fixture.ts';

const PATIENCE_MS = 50;

const open = (folder: string, lockPatienceMs?: number) =>
  openRooms({
    folder,
    passphrase: async () => 'test only',
    log: { info: () => {}, warn: () => {}, error: () => {} },
    now: Date.now,
    monotonic: () => performance.now(),
    views: () => undefined,
    ...(lockPatienceMs !== undefined && { lockPatienceMs }),
  });

test('a desk that starts waits for a command that holds its folder, however busy the machine is', async () => {
  const folder = temporaryFolder();
  const command = takeFolderLock(folder);
  setTimeout(command.release, 20 * PATIENCE_MS);
  const rooms = await open(folder, PATIENCE_MS);
  await rooms.close();
});

test('where a desk listens on the folder it gives up after its patience, and a command at once', async () => {
  const folder = temporaryFolder();
  const desk = takeFolderLock(folder);
  onTestFinished(desk.release);
  const listening = createServer().listen(deskSocketPath(folder));
  onTestFinished(() => void listening.close());
  await expect(open(folder, PATIENCE_MS)).rejects.toMatchObject({ code: 'folder_locked' });
  await expect(open(folder)).rejects.toMatchObject({ code: 'folder_locked' });
});
