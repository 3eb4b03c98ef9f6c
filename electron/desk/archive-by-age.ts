import { isDeskError } from '../protocol/desk-error.ts';
import type { Rooms } from './rooms.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Archives what is older than the desk file says, once an hour; told to do so more often it waits for the hour. */
export class ArchiveByAge {
  readonly #rooms: Pick<Rooms, 'book' | 'journal' | 'log' | 'now'>;
  #lookedAt: number;

  /** `firstAt`: when it looks first, Unix milliseconds; a start has other things to do. */
  constructor(rooms: Pick<Rooms, 'book' | 'journal' | 'log' | 'now'>, firstAt: number) {
    this.#rooms = rooms;
    this.#lookedAt = firstAt - HOUR_MS;
  }

  /** Never rejects: a journal that cannot be archived is whole as it is, and the log says so. */
  async tick(): Promise<void> {
    const { book, journal, log, now } = this.#rooms;
    const at = now();
    const { archiveAfterDays: days } = book.desk();
    if (days === null || Math.abs(at - this.#lookedAt) < HOUR_MS) return;
    this.#lookedAt = at;
    try {
      const { rows, files, ahead } = await journal.archive(at - days * DAY_MS, 'desk', true);
      if (rows > 0) log.info('quotes were archived', { rows, files });
      if (ahead > 0) {
        log.warn('quotes among them stay in the journal: the clock was ahead when they were written', {
          quotes: ahead,
        });
      }
    } catch (error) {
      if (!isDeskError(error, 'archive_runs')) log.warn('quotes could not be archived', { error: String(error) });
    }
  }
}
