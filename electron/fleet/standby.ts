import { createEmitter } from '../contract/emitter.ts';
import { type FollowedJournal, openFollowedJournal } from '../journal/followed-journal.ts';
import type { JournalLog } from '../journal/journal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import { pause } from '../time/pause.ts';
import { type FleetServer, whyOf } from './fleet-server.ts';
import { FleetWriter } from './fleet-writer.ts';
import { isOvertaken, RowsStream, type Stored } from './rows-stream.ts';
import { foundSealed, type OpenSealed, type TakenSecrets, takeSealed } from './sealed-secrets.ts';
import { Seat, seatHolder } from './seat.ts';
import { lastAsked, tellStandby } from './standby-rows.ts';

const TELL_MS = 1_000;
/** How often it is looked whether the desk that writes is there, milliseconds. */
const LOOK_MS = 500;
const AGAIN_MS = 500;
/** A takeover that is due and that no desk would start for is tried again so often, milliseconds. */
const START_AGAIN_MS = 10_000;
const NOT_TAKEN = Promise.resolve(null);

export interface StandbyOptions {
  folder: string;
  /** What it is called in the fleet. */
  name: string;
  server: FleetServer;
  /** Whether there is a key in the folder to sign with. */
  hasKey: boolean;
  /** With the passphrase that a desk would be started with here. */
  open: OpenSealed;
  /** Throws why no desk would start here at this moment, but for its secrets. */
  expectStarts: () => Promise<void>;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds of a clock that never jumps. */
  monotonic: () => number;
  log: { info(line: string, facts?: Record<string, unknown>): void } & JournalLog;
  /** Where witnesses of desks lie. */
  witness: string;
  /** Done once the folder is this standby's and its journal has the past of the fleet, before the first row is written there. */
  whenTaken?: () => Promise<void>;
}

/** A desk that writes nothing of its own: it follows, row by row, what the one with the seat writes, and may take its place. */
export class Standby {
  readonly #options: StandbyOptions;
  readonly #stream: RowsStream;
  readonly #over = new AbortController();
  readonly #looking = new AbortController();
  /** The seat, where nobody had renewed it. */
  #taking: Promise<Seat | null> = NOT_TAKEN;
  readonly #asked = createEmitter<string>(() => {});
  readonly #journal: FollowedJournal;
  /** The number of the newest message of which everything is here. */
  #at = 0;
  #sealed: TakenSecrets;
  /** Why no desk would have started here when that was tried last, but for its secrets; tried again until one would. */
  #hindered: string | null = null;
  /** One at a time: two would take each other's ports for somebody else's. */
  readonly #tries = new SerialQueue();
  readonly #sealing = new SerialQueue();
  /** What fails from second to second. */
  readonly #faults = new Set<string>();
  /** What ended it, where it cannot go on. */
  readonly ended: Promise<DeskError | null>;

  /**
   * Opens the folder's journal and begins to follow. Throws as `openJournal` does, DeskError `journal_forked` or `fleet_gap`, and what
   * `whenTaken` throws.
   */
  static async open(options: StandbyOptions): Promise<Standby> {
    const { folder, now, log, witness, server, open, whenTaken } = options;
    const journal = await openFollowedJournal({ folder, now, log, witness });
    try {
      const { seq, hash } = journal.head();
      const stream = new RowsStream(server);
      const [last, there] = [await stream.last(), seq === 0 ? null : await stream.hashOf(seq)];
      if (seq > (last?.head.seq ?? 0) || (there !== null && there !== hash)) throw otherPast(seq);
      const first = await stream.firstBehind(seq);
      log.info('follows the desk of the fleet', { after: seq });
      const asked = (await lastAsked(server, options.name))?.revision ?? 0;
      await whenTaken?.();
      const sealed = await foundSealed(folder, open);
      return new Standby(options, { journal, stream, first, asked, sealed });
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  private constructor(
    options: StandbyOptions,
    found: { journal: FollowedJournal; stream: RowsStream; first: number; asked: number; sealed: TakenSecrets },
  ) {
    const { journal, stream, first, asked, sealed } = found;
    this.#options = options;
    this.#journal = journal;
    this.#stream = stream;
    this.#at = first - 1;
    this.#sealed = sealed;
    const { signal } = this.#over;
    this.ended = this.#follow(signal);
    void this.#tell(signal, asked);
  }

  /** The last row that is durable here. */
  row(): number {
    return this.#journal.head().seq;
  }

  /** Somebody asks, through the fleet server, that this standby takes over, and a desk would start here: else the desk that writes goes on. */
  onAsked(listener: (by: string) => void): void {
    this.#asked.subscribe(listener);
  }

  /**
   * Once nobody has renewed the seat for so many milliseconds, while the fleet server answered all along, takes it as it stood then, and
   * calls the listener where it has it: `takeOver` goes on from there. Where its desk has renewed it after all it is looked at on; where no
   * desk would start here, it is taken as soon as one would.
   */
  onUnheard(forMs: number, listener: () => void): void {
    void this.#takeUnheard(forMs, listener);
  }

  async #takeUnheard(forMs: number, listener: () => void): Promise<void> {
    const { server, name, monotonic, log } = this.#options;
    const { signal } = this.#looking;
    while (!signal.aborted) {
      const standing = await whenUnheard(this.#options, forMs, signal);
      if (standing === null || signal.aborted) return;
      while (!(await this.#wouldStart(`${name} by itself`)) && !signal.aborted) await pause(START_AGAIN_MS, signal);
      if (signal.aborted) return;
      this.#taking = Seat.take(server, { name, byForce: true, standing, monotonic }).catch((error: unknown) => {
        log.warn('the seat was not taken: its desk is followed on', { error: whyOf(error) });
        return null;
      });
      if ((await this.#taking) !== null) return listener();
    }
  }

  /**
   * Takes the seat, whoever has it, ends that desk's turn in the stream and takes over everything that it wrote. Returns the writer of
   * this desk's own turn, with the folder free to be opened as a desk. Throws DeskError `fleet_taken`, what the fleet server throws, and what
   * ended the following; then this standby is over.
   */
  async takeOver(): Promise<FleetWriter> {
    const { server, name, monotonic, log } = this.#options;
    this.#looking.abort();
    const seat = (await this.#taking) ?? (await Seat.take(server, { name, byForce: true, monotonic }));
    this.#taking = NOT_TAKEN;
    try {
      this.#over.abort();
      await this.#tries.over(); // the ports are free again
      const why = await this.ended;
      if (why !== null) throw why;
      const writer = new FleetWriter(server, seat, monotonic);
      while (!(await this.#fenced(writer))); // whoever had the seat may have written once more
      // The desk before is over: what came a second ago is better than no desk at all.
      await this.#takeSealed().catch((error: unknown) =>
        log.warn('the newest secrets were not taken, those of a moment ago are used', { error: whyOf(error) }),
      );
      await this.#journal.close();
      return writer;
    } catch (error) {
      await seat.close();
      throw error;
    }
  }

  /** Takes over what is in the stream by now, and puts the fence behind it; false where a message came between. */
  async #fenced(writer: FleetWriter): Promise<boolean> {
    const last = await this.#stream.last();
    if ((last?.at ?? 0) < this.#at) {
      throw new DeskError('fleet_gap', 'The fleet server has lost what was in it: nobody can take over there.', {
        remedy: 'Start this desk with serve, under a new name of the fleet, once it is certain that no other one runs.',
      });
    }
    while (this.#at < (last?.at ?? 0)) {
      const message = await this.#stream.at(this.#at + 1);
      if (message === null) this.#at += 1;
      else await this.#take(message);
    }
    try {
      await writer.fence(last);
      return true;
    } catch (error) {
      if (isOvertaken(error)) return false;
      throw error;
    }
  }

  /** Stops following; the folder is free then. */
  async close(): Promise<void> {
    this.#looking.abort();
    this.#over.abort();
    await this.ended;
    await (await this.#taking)?.close();
    await this.#journal.close();
  }

  async #follow(signal: AbortSignal): Promise<DeskError | null> {
    while (!signal.aborted) {
      try {
        for await (const message of this.#stream.from(this.#at + 1, signal)) await this.#take(message);
      } catch (error) {
        if (error instanceof DeskError) return error;
        this.#options.log.warn('the rows do not come', { error: whyOf(error) });
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
  }

  /** Says once a second that it is there and how far it is, and looks what else there is for it; a fleet server that is gone is asked again. */
  async #tell(signal: AbortSignal, asked: number): Promise<void> {
    const { name, hasKey, server } = this.#options;
    for (let before = asked; !signal.aborted; await pause(TELL_MS, signal)) {
      // Each by itself: a disk that takes no secrets keeps nobody from being heard who asks for a takeover.
      await Promise.all([
        this.#tried('the standby is not heard', () =>
          tellStandby(server, { name, row: this.row(), hasKey, startFault: this.#startFault ?? undefined }),
        ),
        this.#lookAtSealed(),
        this.#hindered !== null && this.#tryStart(),
        this.#tried('whether somebody asks for a takeover is not known', async () => {
          const last = await lastAsked(server, name);
          // A server of a cluster that is cut off may answer with an older word.
          if (last === null || last.revision <= before || signal.aborted) return;
          before = last.revision;
          if (await this.#wouldStart(last.by)) this.#asked.emit(last.by);
        }),
      ]);
    }
  }

  get #startFault(): string | null {
    return this.#sealed.fault ?? this.#hindered;
  }

  /** Whether a desk would start here now, for `by`, who wants a takeover; else it is said in the log, and in the row. */
  async #wouldStart(by: string): Promise<boolean> {
    const { folder, open } = this.#options;
    // What did not open may do so now: a file that could not be read for a moment says nothing of the passphrase.
    if (this.#sealed.fault !== null)
      await this.#sealing.run(async () => (this.#sealed = await foundSealed(folder, open)));
    await Promise.all([this.#lookAtSealed(), this.#tryStart()]);
    const fault = this.#startFault;
    if (fault !== null) this.#options.log.warn('does not take over: no desk would start here', { by, error: fault });
    return fault === null;
  }

  async #tryStart(): Promise<void> {
    this.#hindered = await this.#tries.run(this.#options.expectStarts).then(() => null, whyOf);
  }

  #lookAtSealed(): Promise<void> {
    return this.#tried('the secrets of the desk are not taken', () => this.#takeSealed());
  }

  /** One after the other: an older text must not come over a newer one. */
  #takeSealed(): Promise<void> {
    const { server, folder, open, log } = this.#options;
    return this.#sealing.run(async () => {
      const before = this.#sealed;
      this.#sealed = await takeSealed(server, folder, open, before);
      const { fault } = this.#sealed;
      if (fault !== null && fault !== before.fault)
        log.warn('the secrets of the desk do not open here', { error: fault });
    });
  }

  /** Does it, and says so where it begins to fail. */
  async #tried(fault: string, deed: () => Promise<void>): Promise<void> {
    try {
      await deed();
      this.#faults.delete(fault);
    } catch (error) {
      if (!this.#faults.has(fault)) this.#options.log.warn(fault, { error: whyOf(error) });
      this.#faults.add(fault);
    }
  }
}

/** Resolves with the revision of the seat once it has stood so for so long, by looks that the fleet server answered; with null when the signal is aborted. */
async function whenUnheard(
  { server, monotonic }: Pick<StandbyOptions, 'server' | 'monotonic'>,
  forMs: number,
  signal: AbortSignal,
): Promise<number | null> {
  let seen = { revision: 0, since: monotonic() };
  for (let lookedAt = monotonic(); !signal.aborted; ) {
    await pause(LOOK_MS, signal);
    const found = await seatHolder(server).catch(() => null);
    const now = monotonic();
    // Nobody wrote yet, the fleet server did not answer, or this process stood still: that says nothing of the desk.
    const isBlind = found === null || now - lookedAt > 4 * LOOK_MS;
    lookedAt = now;
    if (isBlind || found.revision !== seen.revision) seen = { revision: found?.revision ?? 0, since: now };
    else if (now - seen.since >= forMs) return seen.revision;
  }
  return null;
}

/** Whatever it wrote last was never in the fleet, so it has left nobody, and the fleet has something else in its place. */
function otherPast(seq: number): DeskError {
  return new DeskError(
    'journal_forked',
    `Row ${seq}, the last one here, is not in the fleet: this journal has another past.`,
    {
      remedy: 'Follow in a new folder with the same key, and keep this one: nobody else has what it wrote last.',
    },
  );
}
