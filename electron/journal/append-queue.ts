import { createEmitter, type Emitter } from '../contract/emitter.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { JournalEvent, NewEvent } from './events.ts';
import type { Head } from './head-file.ts';
import { type JournalThread, startThread } from './journal-thread.ts';
import type { Replica } from './replica.ts';
import { type ErrorText, errorFromText, type WriteItem, type WriteResult } from './write-item.ts';
import type { FromWriter, ToWriter, WriterStart } from './writer-messages.ts';

/** How long a row that may wait for others does, milliseconds. */
const PATIENCE_MS = 100;
/** One group on its way to the second place, and one that waits for it: what is written behind them is not answered any sooner. */
const GROUPS_ON_THEIR_WAY = 2;

/**
 * How soon a row is to be written: with whatever else this turn of the event loop asks for; `for-others`: with the next one, or in a
 * moment; `in-step`: no sooner than its second place, where there is one, could take it, so that more rows share a commit.
 */
export type Haste = 'now' | 'for-others' | 'in-step';

type Opened = Extract<FromWriter, { type: 'opened' }>;
type Waiting = {
  item: WriteItem;
  event: NewEvent | null;
  resolve: (head: Head) => void;
  reject: (error: DeskError) => void;
};

/**
 * The desk's end of the writer thread. What is asked for in one turn of the event loop goes over in one message;
 * answers come in the order of the questions.
 */
export class AppendQueue {
  /** What speaks against the journal being whole, as it was opened. */
  readonly doubts: readonly string[];
  readonly found: Opened['found'];
  /** Why there is no witness, in a sentence; null while there is one, or none is wanted. */
  witnessFault: string | null = null;
  readonly #worker: JournalThread;
  readonly #waiting: Waiting[] = [];
  readonly #appended: Emitter<JournalEvent[]>;
  readonly #failed: Emitter<DeskError>;
  readonly #ended: Promise<void>;
  readonly #note: (line: string) => void;
  #outgoing: WriteItem[] = [];
  #sending: NodeJS.Immediate | null = null;
  #waitingForOthers: NodeJS.Timeout | null = null;
  #head: Head;
  /** The last row on the disk here; those who wait for it may not have been answered yet. */
  #written: Head;
  #replica: Replica | null = null;
  /** Over once everything that was written is in its second place as well. */
  #replicated: Promise<void> = Promise.resolve();
  /** How many groups are on the disk here, and not in their second place yet; and whether any row waits for that. */
  #behind = 0;
  #keepsStep = false;
  #closed = false;
  #failure: DeskError | null = null;

  /** Starts the thread, which opens the file; rejects with what is wrong with it. */
  static async open(start: WriterStart, note: (line: string) => void): Promise<AppendQueue> {
    const worker = startThread('writer', start);
    const opened = await new Promise<FromWriter>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (error) => reject(stopped(error)));
    });
    if (opened.type === 'opened') {
      return new AppendQueue(worker, opened, note);
    }
    await worker.terminate();
    throw opened.type === 'failed' ? errorFromText(opened.error) : stopped(opened.type);
  }

  private constructor(worker: JournalThread, { head, doubts, found }: Opened, note: (line: string) => void) {
    this.#worker = worker;
    this.#head = head;
    this.#written = head;
    this.doubts = doubts;
    this.found = found;
    this.#note = note;
    // What one listener throws keeps the news from no other, and from nobody who waits for an answer.
    const failed = (error: unknown) => note(`A listener of the journal failed: ${String(error)}`);
    this.#appended = createEmitter(failed);
    this.#failed = createEmitter(failed);
    worker.on('message', (message: FromWriter) => {
      if (message.type === 'written') this.#took(message.results);
      else if (message.type === 'witness') this.#witnessed(message.fault);
      else if (message.type === 'failed') this.fail(errorFromText(message.error));
    });
    worker.on('error', (error) => this.fail(stopped(error)));
    this.#ended = new Promise((resolve) => {
      worker.once('exit', () => {
        if (!this.#closed || this.#waiting.length > 0) this.fail(stopped('it ended early'));
        resolve();
      });
    });
  }

  get head(): Head {
    return this.#head;
  }

  /** The last row on the disk here, whether it is in its second place or not. */
  get written(): Head {
    return this.#written;
  }

  /** Whatever is written from now on has a second place. */
  replicate(replica: Replica): void {
    this.#replica = replica;
  }

  onAppended(listener: (events: JournalEvent[]) => void): void {
    this.#appended.subscribe(listener);
  }

  onFailure(listener: (error: DeskError) => void): void {
    this.#failed.subscribe(listener);
    const failure = this.#failure;
    if (failure !== null) queueMicrotask(() => listener(failure));
  }

  /** Gives the head of the journal once the item is durable: for an event, that is its own row. Whatever their haste, the order stays as it is. */
  write(item: WriteItem, event: NewEvent | null, haste: Haste = 'now'): Promise<Head> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#closed) return Promise.reject(new DeskError('journal_closed', 'The journal is closed.'));
    this.#outgoing.push(item);
    if (haste === 'for-others') this.#waitingForOthers ??= setTimeout(() => this.#send(), PATIENCE_MS);
    else if (haste === 'in-step' && this.#behind >= GROUPS_ON_THEIR_WAY) this.#keepsStep = true;
    else this.#sending ??= setImmediate(() => this.#send());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, event, resolve, reject });
    });
  }

  /** Nothing is written any more, for this reason. */
  fail(error: DeskError): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    this.#outgoing = [];
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#failed.emit(error);
  }

  /** Takes nothing more from now on, and ends the thread once `readers` have let go of the file, which it then tidies up. */
  async close(readers: Promise<void>): Promise<void> {
    if (!this.#closed) {
      this.#send();
      this.#closed = true;
      await readers;
      this.#post({ type: 'close' });
    }
    await this.#ended;
    await this.#replicated;
  }

  #send(): void {
    if (this.#sending !== null) clearImmediate(this.#sending);
    if (this.#waitingForOthers !== null) clearTimeout(this.#waitingForOthers);
    this.#sending = null;
    this.#waitingForOthers = null;
    this.#keepsStep = false;
    if (this.#outgoing.length === 0) return;
    this.#post({ type: 'write', items: this.#outgoing });
    this.#outgoing = [];
  }

  #post(message: ToWriter): void {
    this.#worker.postMessage(message);
  }

  #witnessed(fault: string | null): void {
    if (fault === null && this.witnessFault !== null) this.#note('The witness of this desk is written again.');
    if (fault !== null) this.#note(fault);
    this.witnessFault = fault;
  }

  /** Answers those whose items the disk has, once their second place has them too where there is one. */
  #took(results: WriteResult[]): void {
    const waiting = this.#waiting.splice(0, results.length);
    const written = waiting.flatMap(({ item }, index) => {
      const head = results[index] ?? null;
      return isError(head) ? [] : [{ item, head }];
    });
    this.#written = written.findLast(({ head }) => head !== null)?.head ?? this.#written;
    if (this.#replica === null) {
      this.#answer(waiting, results);
      return;
    }
    // Heard at once: it may be refused while an earlier one is still on its way.
    const refused = this.#replica.take(written).then(
      () => null,
      (error: DeskError) => error,
    );
    this.#behind += 1;
    this.#replicated = this.#replicated.then(async () => {
      const error = await refused;
      this.#behind -= 1;
      if (error === null) {
        if (this.#keepsStep) this.#send();
        return this.#answer(waiting, results);
      }
      for (const { reject } of waiting) reject(error);
      this.fail(error);
    });
  }

  #answer(answered: readonly Waiting[], results: WriteResult[]): void {
    const events: JournalEvent[] = [];
    answered.forEach(({ event, resolve, reject }, index) => {
      const result = results[index] ?? null;
      if (isError(result)) {
        reject(errorFromText(result));
        return;
      }
      this.#head = result ?? this.#head;
      if (event !== null && result !== null) events.push({ ...event, ...result });
      resolve(this.#head);
    });
    // Before the promises above are answered, which happens after this turn.
    if (events.length > 0) this.#appended.emit(events);
  }
}

function isError(result: WriteResult): result is ErrorText {
  return result !== null && 'code' in result;
}

function stopped(cause: unknown): DeskError {
  return new DeskError('journal_failed', 'The thread that writes the journal stopped.', {
    remedy: 'Start the desk again; its log says what happened.',
    cause,
  });
}
