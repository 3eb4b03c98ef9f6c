import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { GroupCommit } from './group-commit.ts';
import { NotedEnd } from './note-end.ts';
import { openJournalFile } from './open-journal-file.ts';
import { type FoundAtOpening, SLICES } from './slices.ts';
import { journalFault } from './sqlite-fault.ts';
import { errorToText, type WriteItem } from './write-item.ts';
import type { FromWriter, ToWriter, WriterStart } from './writer-messages.ts';

/** So that one commit never keeps those behind it waiting for long. */
const MOST_IN_A_GROUP = 512;

type Port = Pick<MessagePort, 'on' | 'postMessage' | 'close'>;

/** That many commits are carried over from the -wal file at once when nothing else is to do. */
const COMMITS_TO_CARRY_OVER = 16;

/** How often the head and the witness are looked after, milliseconds. */
const LOOK_MS = 1_000;

/**
 * The one thread that writes the journal. Items are taken in the order they came; whatever came while a commit was on
 * its way goes into the next one. After the first fault nothing is written any more.
 */
function run(port: Port, { folder, openedAt, witness }: WriterStart): void {
  const tell = (message: FromWriter) => port.postMessage(message);
  const { db, head, doubts, known, found } = openJournalFile(folder, openedAt, SLICES, witness);
  const commit = new GroupCommit(db, head, SLICES);
  const end = new NotedEnd({ folder, place: witness, db, known, slices: SLICES }, (fault) =>
    tell({ type: 'witness', fault }),
  );
  const looking = setInterval(() => end.look(), LOOK_MS);
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
      if ('kind' in item && result !== null && 'seq' in result) end.written(item);
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
    clearInterval(looking);
    try {
      while (queue.length > 0) writeGroup();
      db.pragma('wal_checkpoint(TRUNCATE)');
      if (!failed && doubts.length === 0) end.note(commit.head);
      end.look();
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
  tell({ type: 'opened', head, doubts, found: found as FoundAtOpening });
}

/** Opens the journal and serves the port until it is told to close; says so where the journal cannot be opened. */
export function serve(port: Port, start: WriterStart): void {
  try {
    run(port, start);
  } catch (error) {
    port.postMessage({ type: 'failed', error: errorToText(error) } satisfies FromWriter);
  }
}

if (parentPort !== null && workerData !== undefined) serve(parentPort, workerData);
