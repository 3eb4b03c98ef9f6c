import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll } from 'vitest';
import type { JournalThread, startThread as started } from '../electron/journal/journal-thread.ts';

type Kind = 'writer' | 'reader';

/** Threads whose journal was closed, and which wait for the next. */
const idle: Record<Kind, Worker[]> = { writer: [], reader: [] };

type StartThread = typeof started;

/** How threads are started while the tests of a file run that wants them otherwise. */
let otherwise: StartThread | null = null;

/** For the file of tests that calls it: as long as they run, journals get their threads from what `by` makes of the usual way. */
export function startThreadsBy(by: (usual: StartThread) => StartThread): void {
  beforeAll(() => {
    otherwise = by(reusedThread);
  });
  afterAll(() => {
    otherwise = null;
  });
}

/** In the tests `startThread` of the journal. */
export const startThread: StartThread = (...asked) => (otherwise ?? reusedThread)(...asked);

/**
 * Threads as they are built, but one that has served a journal to its end serves another. To start a thread takes many times
 * longer than to open a journal, and tests open thousands.
 */
function reusedThread(kind: Kind, start: unknown): JournalThread {
  const worker = idle[kind].pop() ?? new Worker(new URL('./reused-thread.mjs', import.meta.url), { argv: [kind] });
  worker.ref();
  return new ReusedThread(kind, worker, start);
}

/** What a test's journal has of its thread: its messages and its end. */
class ReusedThread extends EventEmitter implements JournalThread {
  readonly #kind: Kind;
  readonly #worker: Worker;
  /** A thread that failed in anything serves no other journal. */
  #spoiled = false;
  #ended = false;

  constructor(kind: Kind, worker: Worker, start: unknown) {
    super();
    this.#kind = kind;
    this.#worker = worker;
    worker.on('message', this.#hear).on('error', this.#fail).on('exit', this.#end);
    worker.postMessage({ start });
  }

  postMessage(message: unknown): void {
    if (!this.#ended) this.#worker.postMessage({ message });
  }

  async terminate(): Promise<number> {
    if (this.#ended && !this.#spoiled) return 0; // by now it may serve another journal
    return this.#worker.terminate();
  }

  readonly #hear = ({ said, over }: FromThread): void => {
    if (!over) {
      this.#spoiled ||= said.type === 'failed';
      this.emit('message', said);
      return;
    }
    if (this.#spoiled) void this.#worker.terminate();
    else {
      idle[this.#kind].push(this.#worker);
      this.#worker.unref(); // what waits for a next journal keeps no process from its end
    }
    this.#end();
  };

  readonly #fail = (error: Error): void => {
    this.emit('error', error);
  };

  readonly #end = (): void => {
    this.#ended = true;
    this.#worker.off('message', this.#hear).off('error', this.#fail).off('exit', this.#end);
    this.emit('exit', 0);
  };
}

/** What a journal said, or that it is closed. */
type FromThread = { over: false; said: { type: string } } | { over: true; said: null };
