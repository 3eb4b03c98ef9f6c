import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file that only its owner may read (0600), whole or not at all: a temporary file beside it is made durable,
 * takes its place, and the folder is made durable too.
 */
export function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  return putInPlace(path, content, rename);
}

/** The same, where there is no file of this name yet: one that is there stays as it is. Throws `EEXIST` then, also of two calls at once. */
export function createPrivateFile(path: string, content: string): Promise<void> {
  return putInPlace(path, content, linkOrCopy);
}

/** Some file systems have no links: there the copy is one that takes no other file's place. Throws `EEXIST`. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

async function putInPlace(
  path: string,
  content: string | Uint8Array,
  put: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await put(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(folder);
}

/** Makes the names in a folder durable. Windows has no such call and keeps names durable by itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
