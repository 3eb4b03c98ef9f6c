import { createEmitter } from '../contract/emitter.ts';
import { type FollowedJournal, openFollowedJournal } from '../journal/followed-journal.ts';
import type { JournalLog } from '../journal/journal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { pause } from '../protocol/pause.ts';
import { type Engine, whyOf } from './engine.ts';
import { FleetWriter } from './fleet-writer.ts';
import { isOvertaken, RowsStream, type Stored } from './rows-stream.ts';
import { followSealed } from './sealed-secrets.ts';
import { Seat, seatHolder } from './seat.ts';
import { type StandbyRow, tellStandby, whenAskedToTakeOver } from './standby-rows.ts';

const TELL_MS = 1_000;
/** How often it is looked whether the desk that writes is there, milliseconds. */
const LOOK_MS = 500;
const AGAIN_MS = 500;
/** How long a takeover waits for what the other desk wrote last, milliseconds. */
const CATCH_UP_MS = 30_000;

export interface StandbyOptions {
  folder: string;
  /** What it is called in the fleet. */
  name: string;
  engine: Engine;
  /** Whether there is a key in the folder to sign with. */
  hasKey: boolean;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds of a clock that never jumps. */
  monotonic: () => number;
  log: JournalLog;
  /** Where witnesses of desks lie. */
  witness: string;
}

/** A desk that writes nothing of its own: it follows, row by row, what the one with the seat writes, and may take its place. */
export class Standby {
  readonly #options: StandbyOptions;
  readonly #stream: RowsStream;
  readonly #over = new AbortController();
  readonly #asked = createEmitter<string>(() => {});
  readonly #reached = createEmitter<number>(() => {});
  readonly #journal: FollowedJournal;
  /** The number of the newest message of which everything is here. */
  #at = 0;
  /** What ended it, where it cannot go on. */
  readonly ended: Promise<DeskError | null>;

  /** Opens the folder's journal and begins to follow. Throws as `openJournal` does, and DeskError `journal_forked` or `fleet_gap`. */
  static async open(options: StandbyOptions): Promise<Standby> {
    const { folder, now, log, witness, engine } = options;
    const journal = await openFollowedJournal({ folder, now, log, witness });
    try {
      const { seq, hash } = journal.head();
      const stream = new RowsStream(engine);
      const [last, there] = [await stream.last(), seq === 0 ? null : await stream.hashOf(seq)];
      if (seq > (last?.head.seq ?? 0) || (there !== null && there !== hash)) throw otherPast(seq);
      const first = await stream.firstBehind(seq);
      log.warn(`Follows from row ${seq + 1} on.`, { hash });
      return new Standby(options, journal, stream, first);
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  private constructor(options: StandbyOptions, journal: FollowedJournal, stream: RowsStream, first: number) {
    this.#options = options;
    this.#journal = journal;
    this.#stream = stream;
    this.#at = first - 1;
    const { signal } = this.#over;
    this.ended = this.#follow(signal);
    void this.#tell(signal);
    const { engine, folder, name, log } = options;
    const complain = (error: unknown) => log.warn(`The standby goes on without this: ${whyOf(error)}`);
    void followSealed(engine, folder, signal).catch(complain);
    void whenAskedToTakeOver(engine, name, signal, (by) => this.#asked.emit(by)).catch(complain);
  }

  /** The last row that is durable here. */
  row(): number {
    return this.#journal.head().seq;
  }

  /** Somebody asks, through the engine, that this standby takes over. */
  onAsked(listener: (by: string) => void): void {
    this.#asked.subscribe(listener);
  }

  /** Calls the listener once nobody has renewed the seat for so many milliseconds, while the engine answered all along. */
  onUnheard(forMs: number, listener: () => void): void {
    void whenUnheard(this.#options, forMs, this.#over.signal).then((isUnheard) => isUnheard && listener());
  }

  /**
   * Takes the seat, whoever has it, ends that desk's turn in the stream and follows everything that it wrote. Returns the writer of this
   * desk's own turn, with the folder free to be opened as a desk. Throws DeskError `fleet_taken`, or what the engine throws; then it
   * goes on following.
   */
  async takeOver(): Promise<FleetWriter> {
    const { engine, name, monotonic } = this.#options;
    const seat = await Seat.take(engine, { name, byForce: true, monotonic });
    try {
      const writer = new FleetWriter(engine, seat, monotonic);
      await this.#fence(writer);
      await this.close();
      return writer;
    } catch (error) {
      await seat.close();
      throw error;
    }
  }

  /** Ends the turn of whoever wrote before; the last row of it is here when this resolves. */
  async #fence(writer: FleetWriter): Promise<void> {
    for (;;) {
      const last = await this.#stream.last();
      if (last !== null) await this.#until(last.at);
      try {
        return await writer.fence(last?.at ?? 0, this.#journal.head());
      } catch (error) {
        if (!isOvertaken(error)) throw error; // it wrote once more
      }
    }
  }

  /** Stops following; the folder is free then. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.ended;
    await this.#journal.close();
  }

  async #follow(signal: AbortSignal): Promise<DeskError | null> {
    while (!signal.aborted) {
      try {
        for await (const message of this.#stream.from(this.#at + 1, signal)) await this.#take(message);
      } catch (error) {
        if (error instanceof DeskError) return error;
        this.#options.log.warn(`The rows do not come: ${whyOf(error)}`);
      }
      await pause(AGAIN_MS, signal);
    }
    return null;
  }

  async #take({ at, written }: Stored): Promise<void> {
    const { seq } = this.#journal.head();
    const isNew = (head: { seq: number } | null) => head === null || head.seq > seq;
    await this.#journal.take(written.filter(({ head }) => isNew(head)));
    this.#at = at;
    this.#reached.emit(at);
  }

  #until(at: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#at >= at) return resolve();
      const late = setTimeout(() => {
        stop();
        reject(
          new DeskError('fleet_unreachable', `The rows up to message ${at} of the stream did not come.`, {
            remedy: 'See that this machine reaches the engine, then take over again.',
          }),
        );
      }, CATCH_UP_MS);
      const stop = this.#reached.subscribe((reached) => {
        if (reached < at) return;
        clearTimeout(late);
        stop();
        resolve();
      });
    });
  }

  /** Says once a second that it is there, and how far it is. */
  async #tell(signal: AbortSignal): Promise<void> {
    const { name, hasKey, engine } = this.#options;
    while (!signal.aborted) {
      const row: StandbyRow = { name, row: this.row(), hasKey };
      await tellStandby(engine, row).catch(() => {}); // whoever asks hears nothing of it meanwhile
      await pause(TELL_MS, signal);
    }
  }
}

/** Resolves with true once the seat has stood as it is for so long, by looks that the engine answered; with false when the signal is aborted. */
async function whenUnheard(
  { engine, monotonic }: Pick<StandbyOptions, 'engine' | 'monotonic'>,
  forMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  let seen = { revision: 0, since: monotonic() };
  for (let lookedAt = monotonic(); !signal.aborted; ) {
    await pause(LOOK_MS, signal);
    const found = await seatHolder(engine).catch(() => null);
    const now = monotonic();
    // Nobody wrote yet, the engine did not answer, or this process stood still: that says nothing of the desk.
    const isBlind = found === null || now - lookedAt > 4 * LOOK_MS;
    lookedAt = now;
    if (isBlind || found.revision !== seen.revision) seen = { revision: found?.revision ?? 0, since: now };
    else if (now - seen.since >= forMs) return true;
  }
  return false;
}

/** Whatever it wrote last was never in the fleet, so it has left nobody, and the fleet has something else in its place. */
function otherPast(seq: number): DeskError {
  return new DeskError(
    'journal_forked',
    `Row ${seq}, the last one here, is not in the fleet: this journal has another past.`,
    {
      remedy: 'Follow in a new folder with the same key, and keep this one: what it wrote last has left nobody.',
    },
  );
}
