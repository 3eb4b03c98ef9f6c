import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasFolder } from '../journal/folder-lock.ts';

const fileOf = (folder: string) => join(folder, 'desk.pid');

/** Written by whoever has just taken the folder's lock, so that a halt can end a desk that hangs. */
export function writeDeskPid(folder: string): void {
  writeFileSync(fileOf(folder), `${process.pid}\n`, { mode: 0o600 });
}

export function removeDeskPid(folder: string): void {
  rmSync(fileOf(folder), { force: true });
}

/**
 * The pid of the desk that holds the folder's lock; null where that is not known. A desk that broke off leaves its file, and its number may
 * be another process's by now, while a command has the folder.
 */
export function readDeskPid(folder: string): number | null {
  try {
    const pid = Number(readFileSync(fileOf(folder), 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0) return null;
    process.kill(pid, 0); // throws when there is no such process
    return hasFolder(pid, folder) === false ? null : pid;
  } catch {
    return null;
  }
}
