import type { Archived } from '../contract/archived.ts';
import type { DeskError } from '../protocol/desk-error.ts';
import { AppendQueue, type Haste } from './append-queue.ts';
import { Archiving } from './archiving.ts';
import type { Copied } from './backup.ts';
import { checkedWrite, eventText } from './event-text.ts';
import type { JournalEvent, NewEvent } from './events.ts';
import { claimJournal } from './folder-lock.ts';
import type { Head } from './head-file.ts';
import type { JournalReader } from './queries.ts';
import { openReader } from './reader.ts';
import { readerTask } from './reader-task.ts';
import { leaveBrokenOff } from './replace-journal.ts';
import { type Replica, readOwnRows } from './replica.ts';
import { besideRows, type FoundAtOpening, type PlainWrite, SLICES } from './slices.ts';

/** Where the journal says what is worth knowing and stops nothing. */
export type JournalLog = { warn(line: string, facts?: Record<string, unknown>): void };

export type JournalOptions = {
  folder: string;
  /** Unix milliseconds. */
  now: () => number;
  log?: JournalLog;
  /** The folder in which witnesses of desks lie; without, this desk has none. */
  witness?: string | undefined;
  /** Where it is written down as well, before anybody is answered. */
  replica?: Replica | undefined;
};

/** The one append-only, hash-chained log of a desk, and the tables projected from it. */
export interface Journal {
  /**
   * The row's sequence number, once the disk has it. Rejects with `journal_row_refused` if this row cannot be taken
   * (the rows beside it are), or `journal_failed` if none can. One without haste lets others come along, so that the disk is asked
   * less often; rows are written in the order in which they were given all the same.
   */
  append(event: NewEvent, haste?: Haste): Promise<number>;
  /** Writes to a plain table outside the chain, in order with the events. Rejects as `append` does. */
  put(write: PlainWrite): Promise<void>;
  /** Called once, when the journal cannot be written any more; every later write is rejected. */
  onFailure(listener: (error: DeskError) => void): void;
  /** Called after each commit, before the appends in it are answered, in the order of the rows. Listeners must be quick. */
  onAppended(listener: (events: JournalEvent[]) => void): void;
  /** The last row that is durable; sequence 0 while there is none. */
  head(): Head;
  /**
   * What spoke against this being the whole past of the desk when it was opened, in sentences: nothing, as a rule. Stands
   * also for the next who opens it, until a row was written.
   */
  readonly doubts: readonly string[];
  /** What else was found of its past when it was opened. */
  readonly found: FoundAtOpening;
  /** How the witness of this desk stands: why it cannot be written, in a sentence, or null while it is; null where this desk has none. */
  witness(): { fault: string | null } | null;
  readonly read: JournalReader;
  /** Copies the journal into one new file (0600) outside the folder while the desk runs, and its archives beside that one. */
  backup(file: string): Promise<Copied>;
  /**
   * Moves the bodies of quotes that are over and older than `before` (Unix milliseconds) into archives beside the journal, in small
   * steps; with `beside` there are rests between them for the quotes of a desk that trades. A day is kept in any case. What was
   * begun and broken off is ended first. Rejects with `archive_runs`, `archive_failed`; then what was not archived is where it was.
   */
  archive(before: number, actor: string, beside: boolean): Promise<Archived>;
  /** Writes what was appended before, then ends both threads. */
  close(): Promise<void>;
}

/**
 * Opens the journal of a folder, making or migrating it if need be. Takes the folder's lock unless this process has it.
 * Throws a `DeskError`: `folder_locked`, `journal_newer`, `journal_foreign`, `journal_broken` when the hashes of its last
 * rows do not hold, `journal_missing` where a backup that was being put back left none in place, `journal_failed` when it cannot be
 * read or written; and what the replica's `begin` throws.
 */
export async function openJournal({ folder, now, log, witness, replica }: JournalOptions): Promise<Journal> {
  const claim = claimJournal(folder);
  try {
    const note = (line: string) => log?.warn(line);
    if (leaveBrokenOff(folder))
      note('A backup was being put back here, and that was interrupted: this is the journal of before.');
    const [text, checked] = [eventText(SLICES), checkedWrite(SLICES)];
    // It is asked nothing, and opens nothing, before the writer has made or migrated the journal; to start it takes as long.
    const reader = openReader(folder, note);
    const writer = await AppendQueue.open({ folder, openedAt: now(), witness }, note).catch(async (error: unknown) => {
      await reader.close();
      throw error;
    });
    const close = () => writer.close(reader.close());
    const own = replica === undefined ? null : readOwnRows(folder, besideRows);
    if (replica !== undefined && own !== null) {
      try {
        writer.replicate(replica);
        await replica.begin({ ...own, head: () => writer.written, failed: (error) => writer.fail(error) });
      } catch (error) {
        own.close();
        await close();
        throw error;
      }
    }
    const append: Journal['append'] = async (event, haste) => {
      const { seq } = await writer.write(text(event), event, haste);
      return seq;
    };
    const put: Journal['put'] = async (write) => {
      await writer.write(checked(write), null);
    };
    const archiving = new Archiving({
      folder,
      archives: () => reader.read.archives(),
      name: (body, actor) => append({ time: now(), actor, kind: 'journal_archived', body }),
      empty: (seqs) => put({ table: 'archived_bodies', seqs }),
    });
    return {
      append,
      put,
      onFailure: (listener) => writer.onFailure(listener),
      onAppended: (listener) => writer.onAppended(listener),
      head: () => writer.head,
      doubts: writer.doubts,
      found: writer.found,
      witness: () => (witness === undefined ? null : { fault: writer.witnessFault }),
      read: reader.read,
      backup: (target) =>
        readerTask({ task: 'backup', folder, target }, (message) => {
          if (message.type !== 'copied') return undefined;
          const { type: _, ...copied } = message;
          return copied;
        }),
      archive: (before, actor, beside) => archiving.run(before, actor, beside),
      close: async () => {
        await close();
        own?.close();
        claim.release();
      },
    };
  } catch (error) {
    claim.release();
    throw error;
  }
}
