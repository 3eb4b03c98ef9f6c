import { setTimeout as sleep } from 'node:timers/promises';
import type { Archived } from '../contract/archived.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Archive } from './archives.ts';
import { readerTask } from './reader-task.ts';

/** Bodies that leave the journal in one step, a few milliseconds of the thread that writes quotes. */
const ROWS_OF_A_STEP = 64;
/** Beside quotes, so many times as long as a step took nothing is asked of that thread: one quote in twenty may wait for a step. */
const REST = 19;

interface Parts {
  folder: string;
  archives: () => Promise<Archive[]>;
  /** Writes the row that names an archive, and has bodies that are in it leave the journal. */
  name: (archive: Archive, actor: string) => Promise<unknown>;
  empty: (seqs: number[]) => Promise<void>;
}

/**
 * Moves bodies into archives, a stretch after the other. A stretch is first written into its file, then named by a row of the journal,
 * and only then do its bodies leave the journal, each compared with what the file has; whatever ends a run in between, the next one
 * goes on there.
 */
export class Archiving {
  readonly #parts: Parts;
  #runs = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `beside`: quotes are written meanwhile, and come first. */
  async run(before: number, actor: string, beside: boolean): Promise<Archived> {
    const { folder, name, archives } = this.#parts;
    if (this.#runs) {
      throw new DeskError('archive_runs', 'The journal is being archived already.', {
        remedy: 'Wait until that is done; the status says how far it is.',
      });
    }
    this.#runs = true;
    const done: Archived = { rows: 0, files: 0, bytes: 0, until: null, ahead: 0 };
    try {
      const last = (await archives()).at(-1);
      if (last !== undefined) {
        await this.#empty(last, beside);
        done.until = last.lastAt;
      }
      for (;;) {
        const archive = await readerTask({ task: 'archive', folder, before }, (message) =>
          message.type === 'archived' ? message : undefined,
        ).then((archived) => archived.archive);
        if (archive === null) return done;
        await name(archive, actor);
        await this.#empty(archive, beside);
        done.rows += archive.rows;
        done.files += 1;
        done.bytes += archive.bytes;
        done.ahead += archive.ahead;
        done.until = archive.lastAt;
      }
    } finally {
      this.#runs = false;
    }
  }

  async #empty(archive: Archive, beside: boolean): Promise<void> {
    const { folder, empty } = this.#parts;
    const { seqs } = await readerTask({ task: 'left', folder, archive }, (message) =>
      message.type === 'left' ? message : undefined,
    );
    for (let from = 0; from < seqs.length; from += ROWS_OF_A_STEP) {
      const began = performance.now();
      await empty(seqs.slice(from, from + ROWS_OF_A_STEP));
      if (beside) await sleep((performance.now() - began) * REST);
    }
  }
}
