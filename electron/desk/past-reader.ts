import { Worker } from 'node:worker_threads';
import { errorFromText } from '../journal/write-item.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { FromPast, PastAnswers, PastQuestion, ToPast } from './past-messages.ts';

/** The thread ends when nobody has asked it for so long, milliseconds: what it reads with is given back. */
const IDLE_MS = 30_000;
/** Questions that may wait: who drags along a day takes each back before the next. */
const MOST_WAITING = 16;

type Told = FromPast | { type: 'gone' };
/** A question: who hears of it, and what says that nobody wants to know any more. */
type Asked = { hear: (message: Told) => void; over: Int32Array<SharedArrayBuffer> };

/** Asks a thread of its own about the past of a folder's journal. It is started with the first question, and answers one after the other. */
export class PastReader {
  readonly #folder: string;
  readonly #asked = new Map<number, Asked>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #closed = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The parts of an answer, as they are read; it ends early with its signal. Throws DeskError `busy` where too many wait,
   * `unknown_row` where the journal has no row of that moment.
   */
  async *ask<Ask extends PastQuestion['ask']>(
    question: Extract<PastQuestion, { ask: Ask }>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<PastAnswers[Ask], void> {
    if (this.#closed || this.#asked.size >= MOST_WAITING) {
      throw new DeskError('busy', 'Too many questions about the past wait already.', {
        remedy: 'Ask again in a moment.',
      });
    }
    this.#lastId += 1;
    const id = this.#lastId;
    const over = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const told: Told[] = [];
    let wake = () => {};
    const hear = (message: Told) => {
      told.push(message);
      wake();
    };
    const stop = () => {
      Atomics.store(over, 0, 1);
      wake();
    };
    this.#asked.set(id, { hear, over });
    signal?.addEventListener('abort', stop, { once: true });
    try {
      this.#thread().postMessage({ type: 'ask', id, question, over } satisfies ToPast);
      while (!signal?.aborted) {
        const next = told.shift();
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (told.length > 0 || signal?.aborted) resolve();
          });
        } else if (next.type === 'part') {
          // The question says which form its parts have, which the compiler cannot follow through a message.
          yield next.part as PastAnswers[Ask];
        } else if (next.type === 'gone') {
          throw new DeskError('reader_ended', 'The thread that reads the past ended early.');
        } else {
          if (next.error !== null) throw errorFromText(next.error);
          return;
        }
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      Atomics.store(over, 0, 1);
      this.#asked.delete(id);
      this.#rest();
    }
  }

  /** Ends the thread once it has broken off what it reads. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#end();
  }

  #thread(): Worker {
    clearTimeout(this.#idle);
    if (this.#worker !== null) return this.#worker;
    const name = import.meta.url.endsWith('.ts') ? './past-thread.ts' : './past-thread.js';
    const worker = new Worker(new URL(name, import.meta.url), { name: 'past', workerData: this.#folder });
    worker.on('message', (message: FromPast) => this.#asked.get(message.id)?.hear(message));
    const gone = () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#lose();
    };
    worker.on('error', gone);
    worker.on('exit', gone);
    this.#worker = worker;
    return worker;
  }

  #rest(): void {
    if (this.#asked.size > 0 || this.#worker === null) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
  }

  /** It ends by itself: ending it inside a call of SQLite can take the whole process down. */
  async #end(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    this.#worker = null;
    this.#lose();
    const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ type: 'close' } satisfies ToPast);
    await gone;
  }

  #lose(): void {
    for (const { hear, over } of this.#asked.values()) {
      Atomics.store(over, 0, 1);
      hear({ type: 'gone' });
    }
  }
}
