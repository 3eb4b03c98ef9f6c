import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileOf = (folder: string) => join(folder, 'desk.pid');

/** Written by whoever has just taken the folder's lock, so that a halt can end a desk that hangs. */
export function writeDeskPid(folder: string): void {
  writeFileSync(fileOf(folder), `${process.pid}\n`, { mode: 0o600 });
}

export function removeDeskPid(folder: string): void {
  rmSync(fileOf(folder), { force: true });
}

/** The pid of whoever holds the folder's lock. Means nothing while nobody does: a desk that broke off leaves its file. */
export function readDeskPid(folder: string): number | null {
  try {
    const pid = Number(readFileSync(fileOf(folder), 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0) return null;
    process.kill(pid, 0); // throws when there is no such process
    return pid;
  } catch {
    return null;
  }
}
