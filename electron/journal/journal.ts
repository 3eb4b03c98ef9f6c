import type { DeskError } from '../protocol/desk-error.ts';
import { AppendQueue } from './append-queue.ts';
import { eventText } from './event-text.ts';
import type { JournalEvent, NewEvent } from './events.ts';
import { claimJournal } from './folder-lock.ts';
import type { Head } from './head-file.ts';
import { checkedWrite, type PlainWrite } from './plain-write.ts';
import type { JournalReader } from './queries.ts';
import { openReader } from './reader.ts';
import { readerTask } from './reader-task.ts';

/** Where the journal says what is worth knowing and stops nothing. */
export type JournalLog = { warn(line: string, facts?: Record<string, unknown>): void };

export type JournalOptions = { folder: string /** Unix milliseconds. */; now: () => number; log?: JournalLog };

/** The one append-only, hash-chained log of a desk, and the tables projected from it. */
export interface Journal {
  /**
   * The row's sequence number, once the disk has it. Rejects with `journal_row_refused` if this row cannot be taken
   * (the rows beside it are), or `journal_failed` if none can.
   */
  append(event: NewEvent): Promise<number>;
  /** Writes to a plain table outside the chain, in order with the events. Rejects as `append` does. */
  put(write: PlainWrite): Promise<void>;
  /** Called once, when the journal cannot be written any more; every later write is rejected. */
  onFailure(listener: (error: DeskError) => void): void;
  /** Called after each commit, before the appends in it are answered, in the order of the rows. Listeners must be quick. */
  onAppended(listener: (events: JournalEvent[]) => void): void;
  /** The last row that is durable; sequence 0 while there is none. */
  head(): Head;
  readonly read: JournalReader;
  /** Copies the journal into one file while the desk runs; gives its size in bytes. */
  backup(file: string): Promise<number>;
  /** Writes what was appended before, then ends both threads. */
  close(): Promise<void>;
}

/**
 * Opens the journal of a folder, making or migrating it if need be. Takes the folder's lock unless this process has it.
 * Throws a `DeskError`: `folder_locked`, `journal_newer`, `journal_foreign`, `journal_cut` and `journal_broken` when
 * its end does not fit the head noted beside it, `journal_failed` when it cannot be read or written.
 */
export async function openJournal({ folder, now, log }: JournalOptions): Promise<Journal> {
  const claim = claimJournal(folder);
  try {
    const note = (line: string) => log?.warn(line);
    const writer = await AppendQueue.open({ folder, openedAt: now() }, note);
    const reader = openReader(folder, note);
    return {
      append: async (event) => {
        const { seq } = await writer.write(eventText(event), event);
        return seq;
      },
      put: async (write) => {
        await writer.write(checkedWrite(write), null);
      },
      onFailure: (listener) => writer.onFailure(listener),
      onAppended: (listener) => writer.onAppended(listener),
      head: () => writer.head,
      read: reader.read,
      backup: (target) =>
        readerTask({ task: 'backup', folder, target }, (message) =>
          message.type === 'copied' ? message.bytes : undefined,
        ),
      close: async () => {
        await writer.close(reader.close());
        claim.release();
      },
    };
  } catch (error) {
    claim.release();
    throw error;
  }
}
