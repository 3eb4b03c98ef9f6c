import { DeskError } from '../protocol/desk-error.ts';
import { AppendQueue } from './append-queue.ts';
import { claimJournal } from './folder-lock.ts';
import type { Head } from './head-file.ts';
import type { JournalOptions } from './journal.ts';
import { leaveBrokenOff } from './replace-journal.ts';
import type { Written } from './replica.ts';
import { rowHash } from './row-hash.ts';

/** A journal that is written elsewhere: what was written there is written here too, row by row, and nothing else. */
export interface FollowedJournal {
  /** The last row that is durable here; sequence 0 while there is none. */
  head(): Head;
  /**
   * Writes what was written there, in order; resolves once it is durable here. Throws DeskError `journal_forked` where a row does not go
   * on from the last one here, `journal_row_refused` where this program does not know its kind, `journal_failed`.
   */
  take(written: readonly Written[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the journal of a folder to follow another one, making it if need be. Throws as `openJournal` does. */
export async function openFollowedJournal(options: Omit<JournalOptions, 'replica'>): Promise<FollowedJournal> {
  const { folder, now, log, witness } = options;
  const claim = claimJournal(folder);
  try {
    leaveBrokenOff(folder);
    const queue = await AppendQueue.open({ folder, openedAt: now(), witness }, (line) => log?.warn(line));
    const isOwn = (table: string) => table === 'archived_bodies'; // archives stay where they were made, and so do bodies here
    return {
      head: () => queue.head,
      async take(written) {
        const news = written.filter(({ item }) => !('table' in item && isOwn(item.table)));
        let { seq, hash: previous } = queue.head;
        for (const { item, head } of news) {
          if ('table' in item || head === null) continue;
          seq += 1;
          previous = rowHash({ seq, ...item, previous });
          if (head.seq !== seq || head.hash !== previous) throw forked(seq);
        }
        await Promise.all(news.map(({ item }) => queue.write(item, null)));
      },
      async close() {
        await queue.close(Promise.resolve());
        claim.release();
      },
    };
  } catch (error) {
    claim.release();
    throw error;
  }
}

function forked(seq: number): DeskError {
  return new DeskError(
    'journal_forked',
    `Row ${seq} does not go on from what this journal has: the two have another past.`,
    {
      remedy: 'Follow in a new folder, or put a backup of the desk back into this one first.',
    },
  );
}
