import { parentPort, workerData } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { type HandOrder, handOrderSchema } from './events.ts';
import { GroupCommit } from './group-commit.ts';
import { type Head, HeadFile, headFile } from './head-file.ts';
import { type OpenedFile, openJournalFile } from './open-journal-file.ts';
import { journalFault } from './sqlite-fault.ts';
import { keepWitness } from './witness.ts';
import {
  type EventText,
  errorToText,
  type FromWriter,
  type ToWriter,
  type WriteItem,
  type WriterStart,
} from './writer-messages.ts';

/** So that one commit never keeps those behind it waiting for long. */
const MOST_IN_A_GROUP = 512;

/** That many commits are carried over from the -wal file at once when nothing else is to do. */
const COMMITS_TO_CARRY_OVER = 16;

/**
 * The one thread that writes the journal. Items are taken in the order they came; whatever came while a commit was on
 * its way goes into the next one. After the first fault nothing is written any more.
 */
function run(port: NonNullable<typeof parentPort>, { folder, openedAt, witness }: WriterStart): void {
  const tell = (message: FromWriter) => port.postMessage(message);
  const { db, head, doubts, missingByHand, handOrders } = openJournalFile(folder, openedAt, witness);
  const commit = new GroupCommit(db, head);
  const end = new NotedEnd({ folder, place: witness, db, handOrders }, (line) => tell({ type: 'note', line }));
  const queue: WriteItem[] = [];
  let commitsToCarryOver = 0;
  let failed = false;
  let scheduled = false;

  const fail = (error: unknown) => {
    failed = true;
    queue.length = 0;
    tell({ type: 'failed', error: errorToText(journalFault(error)) });
  };

  const writeGroup = () => {
    const items = queue.splice(0, MOST_IN_A_GROUP);
    const results = commit.write(items);
    items.forEach((item, index) => {
      const result = results[index] ?? null;
      if ('kind' in item && item.kind === 'nft_order' && result !== null && 'seq' in result) end.signedByHand(item);
    });
    commitsToCarryOver += 1;
    try {
      end.note(commit.head);
    } finally {
      tell({ type: 'written', results });
    }
  };

  /** Brings commits from the -wal file into the journal itself, a few at a time, so that nobody waits long for it. */
  const carryOver = () => {
    db.pragma('wal_checkpoint(PASSIVE)');
    commitsToCarryOver = 0;
  };

  const schedule = () => {
    const idle = queue.length === 0 && commitsToCarryOver < COMMITS_TO_CARRY_OVER;
    if (scheduled || failed || idle) return;
    scheduled = true;
    // After this turn of the loop, so that everything that has arrived by now is in the group.
    setImmediate(() => {
      scheduled = false;
      try {
        if (queue.length > 0) writeGroup();
        else carryOver();
      } catch (error) {
        fail(error);
      }
      schedule();
    });
  };

  const close = () => {
    try {
      while (queue.length > 0) writeGroup();
      db.pragma('wal_checkpoint(TRUNCATE)');
      if (!failed && doubts.length === 0) end.note(commit.head);
    } catch (error) {
      if (!failed) fail(error);
    }
    end.close();
    db.close();
    tell({ type: 'closed' });
    port.close();
  };

  port.on('message', (message: ToWriter) => {
    if (message.type === 'close') return close();
    if (failed) return;
    for (const item of message.items) queue.push(item);
    schedule();
  });
  tell({ type: 'opened', head, doubts, missingByHand });
}

/**
 * The last row, noted beside the journal and by its witness. What they said before is written over only once a row is durable:
 * where they speak against the journal, that row says so.
 */
class NotedEnd {
  readonly #folder: string;
  readonly #place: string | undefined;
  readonly #db: Database;
  readonly #complain: (line: string) => void;
  readonly #handOrders: HandOrder[];
  #head: HeadFile | null = null;
  #witness: HeadFile | 'none' | null = null;

  /** `handOrders` are those that a witness must know: signed by hand, and not over. */
  constructor(
    {
      folder,
      place,
      db,
      handOrders,
    }: Pick<OpenedFile, 'db' | 'handOrders'> & { folder: string; place: string | undefined },
    complain: (line: string) => void,
  ) {
    this.#folder = folder;
    this.#place = place;
    this.#db = db;
    this.#handOrders = handOrders;
    this.#complain = complain;
  }

  /** The witness knows of it with the next note, which is before anybody is told that its row is durable. */
  signedByHand({ body }: EventText): void {
    this.#handOrders.push(handOrderSchema.parse(JSON.parse(body)));
    if (!(this.#witness instanceof HeadFile)) return;
    this.#witness.close();
    this.#witness = null;
  }

  /** Throws when the head cannot be written. A witness that cannot be is told of once, and no longer kept. */
  note(head: Head): void {
    if (this.#head === null) this.#head = new HeadFile(headFile(this.#folder), head);
    else this.#head.write(head);
    if (this.#place === undefined || this.#witness === 'none' || head.seq === 0) return;
    try {
      if (this.#witness === null) {
        const about = { desk: this.#desk(), head, handOrders: this.#handOrders };
        this.#witness = keepWitness(this.#place, this.#folder, about);
      } else {
        this.#witness.write(head);
      }
    } catch (error) {
      this.#witness = 'none';
      this.#complain(
        `The witness of this desk cannot be written to ${this.#place} (${String(error)}): a folder that is put back would not be noticed.`,
      );
    }
  }

  close(): void {
    this.#head?.close();
    if (this.#witness instanceof HeadFile) this.#witness.close();
  }

  #desk(): string {
    return this.#db.prepare<[], string>('SELECT lower(hex(hash)) FROM journal WHERE seq = 1').pluck().get() ?? '';
  }
}

if (parentPort !== null) {
  try {
    run(parentPort, workerData);
  } catch (error) {
    parentPort.postMessage({ type: 'failed', error: errorToText(error) } satisfies FromWriter);
  }
}
