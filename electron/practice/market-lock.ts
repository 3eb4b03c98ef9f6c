import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DeskError } from '../protocol/desk-error.ts';

/** The market of a desk that was killed notices a moment later; the next one waits so long for it. */
const PATIENCE_MS = 2_000;

/**
 * Makes this process the only practice market of the folder. SQLite's lock is the operating system's: it is free again
 * after kill -9.
 * @throws DeskError `practice_in_use`
 */
export function takeMarketLock(folder: string): { release(): void } {
  const database = new Database(join(folder, 'practice.lock'), { timeout: PATIENCE_MS });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new DeskError('practice_in_use', `Another practice market is running in ${folder}.`, {
      remedy: 'End it first, or choose another folder with --data.',
      cause,
    });
  }
  return { release: () => database.close() };
}
