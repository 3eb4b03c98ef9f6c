import { isDeepStrictEqual } from 'node:util';
import type { FleetView } from '../contract/fleet.ts';
import type { Head } from '../journal/head-file.ts';
import type { OwnRows, Replica, Written } from '../journal/replica.ts';
import { GENESIS_HASH } from '../journal/row-hash.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { pause } from '../time/pause.ts';
import { type FleetServer, rightsError, whyOf } from './fleet-server.ts';
import { LEASE_MS } from './lease.ts';
import { isOvertaken, messagesOf, type RowsMessage, RowsStream, type Stored } from './rows-stream.ts';
import type { Seat } from './seat.ts';

/** How long one try to put a message into the stream takes at most, milliseconds. */
const TRY_MS = 700;
const AGAIN_MS = 50;
/** How often a fleet server that is gone is asked whether it is back, and how often the seat is looked at. Milliseconds. */
const BACK_MS = 250;
const LOOK_MS = 100;
const ROWS_AT_ONCE = 500;
/** Of so many messages it is kept how long each took. */
const TAKEN_AT_MOST = 50;

type Waiting = { written: readonly Written[]; resolve: () => void; reject: (error: DeskError) => void };

/**
 * Writes the rows of the desk that has the seat into the stream, each message behind its own last one and behind no other. So whoever
 * puts a message of their own there ends this desk's turn: nothing that it writes counts from then on, and no order leaves it,
 * whatever it knows of that. A fleet server that is silent for longer than a lease leaves the desk alone: it signs nothing, writes its
 * rows here, and brings them there once the fleet server is back.
 */
export class FleetWriter implements Replica {
  readonly seat: Seat;
  readonly #stream: RowsStream;
  readonly #monotonic: () => number;
  readonly #closed = new AbortController();
  readonly #queue: Waiting[] = [];
  #own: OwnRows | null = null;
  /** The number of our last message in the stream, and of whatever stands behind it there and does not count; and the last row in it. */
  #at = 0;
  #tail = 0;
  #head: Head = { seq: 0, hash: GENESIS_HASH };
  /** What is on its way to the stream; null while nothing is. */
  #pumping: Promise<void> | null = null;
  #alone: string | null = null;
  /** Whether what stands beside the rows has to be brought there: some of it may have been written here alone. */
  #owesBeside = true;
  #ended: DeskError | null = null;
  #looking: NodeJS.Timeout | null = null;
  #onAlone: (why: string | null) => void = () => {};
  /** How long the newest messages took until they were there, milliseconds. */
  readonly #took: number[] = [];

  constructor(server: FleetServer, seat: Seat, monotonic: () => number) {
    this.#stream = new RowsStream(server);
    this.seat = seat;
    this.#monotonic = monotonic;
  }

  /** The listener is told, in the step in which it becomes so, why nothing may be signed, or that it may be again (null). */
  tellAlone(listener: (why: string | null) => void): void {
    this.#onAlone = listener;
    if (this.#alone !== null) listener(this.#alone);
  }

  /** Whether another desk has taken over. */
  get isOver(): boolean {
    return this.#ended !== null;
  }

  /** How it stands at this moment, as `FleetView` tells it. */
  standing(): Pick<FleetView, 'kept' | 'alone' | 'isOver' | 'tookMs'> {
    const took = this.#took.toSorted((a, b) => a - b);
    const tookMs = took[Math.floor(took.length / 2)] ?? null;
    return { kept: this.#head.seq, alone: this.#alone, isOver: this.isOver, tookMs };
  }

  /**
   * Ends every turn before this one, behind the newest message: from there on nobody else writes. Throws DeskError `fleet_taken_over`
   * where a later turn has begun already, and what the fleet server throws.
   */
  async fence(last: Stored | null): Promise<void> {
    const { turn } = this.seat.holder;
    if (last !== null && last.turn > turn) throw takenOver();
    const head = last?.head ?? { seq: 0, hash: GENESIS_HASH };
    this.#at = await this.#stream.put({ turn, written: [], head }, last?.end ?? 0, LEASE_MS);
    this.#tail = this.#at;
    this.#head = head;
  }

  /** Throws DeskError `journal_behind` or `journal_forked` where the stream has rows that this journal has not, and as `fence` does. */
  async begin(own: OwnRows): Promise<void> {
    this.#own = own;
    for (;;) {
      const last = await this.#stream.last();
      if (last !== null) expectOwn(last, own);
      try {
        await this.fence(last);
        break;
      } catch (error) {
        if (!isOvertaken(error)) throw rightsError(error); // a turn before this one has written once more: its row is looked at first
      }
    }
    await this.#putOwn(own);
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
  }

  take(written: readonly Written[]): Promise<void> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    if (this.#alone !== null) {
      this.#owesBeside ||= written.some(({ head }) => head === null);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ written, resolve, reject });
      this.#start();
    });
  }

  async close(): Promise<void> {
    this.#closed.abort();
    if (this.#looking !== null) clearInterval(this.#looking);
    await this.seat.close();
  }

  #start(): void {
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = null;
      if (this.#queue.length > 0) this.#start();
    });
  }

  /** One message after the other; whatever comes meanwhile goes along with the next. */
  async #pump(): Promise<void> {
    while (this.#queue.length > 0 && this.#alone === null && this.#ended === null) {
      const waiting = this.#queue.splice(0);
      const news = waiting
        .flatMap(({ written }) => written)
        .filter(({ head }) => head === null || head.seq > this.#head.seq);
      try {
        for (const message of messagesOf(this.seat.holder.turn, news, this.#head)) await this.#put(message);
        if (this.seat.isLost) throw takenOver();
        // What was acknowledged while this process stood still came too late to sign by.
        if (!this.seat.isFresh) this.#leaveAlone('The fleet server did not renew its seat in time.');
        for (const { resolve } of waiting) resolve();
      } catch (error) {
        this.#queue.unshift(...waiting);
        if (error instanceof DeskError) this.#end(error);
        else this.#leaveAlone(`The fleet server does not take its rows: ${whyOf(error)}.`);
      }
    }
  }

  /** Puts a message behind our last one, and tries again for as long as a lease. Throws DeskError `fleet_taken_over`, or why it could not. */
  async #put(message: RowsMessage): Promise<void> {
    const { signal } = this.#closed;
    const begun = this.#monotonic();
    for (let isLate = false; ; ) {
      const behind = this.#tail;
      try {
        this.#at = await this.#stream.put(message, this.#tail, TRY_MS);
        this.#tail = this.#at;
        break;
      } catch (error) {
        isLate = this.#monotonic() - begun > LEASE_MS || signal.aborted;
        // Without an answer it may stand there all the same.
        const last = await this.#stream.last().catch(() => undefined);
        if (last !== undefined && this.#isThere(message, last)) break;
        if (isLate) throw error;
        // Where only something that does not count came between, it is put behind that at once.
        if (this.#tail === behind) await pause(AGAIN_MS, signal);
      }
    }
    if (message.head.seq > this.#head.seq) this.#head = message.head;
    this.#took.push(this.#monotonic() - begun);
    if (this.#took.length > TAKEN_AT_MOST) this.#took.shift();
  }

  /**
   * Whether all of this message is in the stream behind our last one. Throws DeskError `fleet_taken_over` where the newest there is
   * somebody else's.
   */
  #isThere(message: RowsMessage, last: Stored | null): boolean {
    const { at, end } = last ?? { at: 0, end: 0 };
    if (at === this.#at) {
      this.#tail = end;
      return false;
    }
    // Of our turn is only what we put there: this message, or one that was on its way when this desk was left alone.
    const isOurs = last?.turn === message.turn && at > this.#at;
    if (!isOurs || (last.head.hash !== message.head.hash && !this.#has(last.head))) throw takenOver();
    const hasRows = message.head.seq > this.#head.seq;
    [this.#at, this.#tail, this.#head] = [at, end, last.head];
    return hasRows ? last.head.seq >= message.head.seq : isSame(last, message);
  }

  /** Whether the journal here has this very row. */
  #has({ seq, hash }: Head): boolean {
    return this.#own?.rows(seq, seq)[0]?.hash === hash;
  }

  /** Brings there what stands here alone: rows, and behind the last one what stands beside them. */
  async #putOwn(own: OwnRows): Promise<void> {
    while (this.#head.seq < own.head().seq || this.#owesBeside) {
      const { seq } = this.#head;
      const rows = own.rows(seq + 1, Math.min(own.head().seq, seq + ROWS_AT_ONCE));
      // From here on, what is written beside them is owed anew.
      if (rows.length === 0) this.#owesBeside = false;
      const written: Written[] =
        rows.length === 0
          ? own.beside().map((item) => ({ item, head: null }))
          : rows.map(({ time, actor, kind, body, seq, hash }) => ({
              item: { time, actor, kind, body },
              head: { seq, hash },
            }));
      for (const message of messagesOf(this.seat.holder.turn, written, this.#head)) await this.#put(message);
    }
  }

  #look(): void {
    if (this.#ended !== null) return;
    if (this.seat.isLost) this.#end(takenOver());
    else if (this.#alone === null && !this.seat.isFresh) {
      this.#leaveAlone('The fleet server has not been reached for longer than a lease.');
    }
  }

  /** Somebody else writes from now on. */
  #end(error: DeskError): void {
    this.#ended = error;
    this.#alone = error.message;
    this.#onAlone(error.message);
    for (const { reject } of this.#queue.splice(0)) reject(error);
    this.#own?.failed(error);
  }

  /** Nothing is signed from this moment on; rows are written here alone until the fleet server is back. */
  #leaveAlone(why: string): void {
    const isNew = this.#alone === null;
    this.#alone = why;
    if (isNew) this.#onAlone(why);
    this.#owesBeside = true;
    for (const { resolve } of this.#queue.splice(0)) resolve();
    if (isNew) void this.#comeBack();
  }

  async #comeBack(): Promise<void> {
    const { signal } = this.#closed;
    const own = this.#own;
    // What is still on its way comes to its end first: one message after the other, whoever puts it.
    await this.#pumping;
    while (own !== null && !signal.aborted && this.#ended === null) {
      await pause(BACK_MS, signal);
      try {
        const last = await this.#stream.last();
        if (last === null || last.turn !== this.seat.holder.turn) throw takenOver();
        expectOwn(last, own);
        [this.#at, this.#tail, this.#head] = [last.at, last.end, last.head];
        await this.#putOwn(own);
        // From here on in one step: nothing is written between this look and the next message.
        if (!this.seat.isFresh || signal.aborted) continue;
        this.#alone = null;
        this.#onAlone(null);
        return;
      } catch (error) {
        this.#owesBeside = true;
        if (error instanceof DeskError && error.code !== 'fleet_refused') this.#end(error);
      }
    }
  }
}

/** Whether a message says what this one does, as it came back from the stream. */
function isSame({ written }: Stored, message: RowsMessage): boolean {
  return isDeepStrictEqual(written, JSON.parse(JSON.stringify(message.written)));
}

/** Throws DeskError `journal_behind` or `journal_forked` unless the rows of this message are in the journal. */
function expectOwn({ head }: Stored, own: OwnRows): void {
  const here = own.head();
  if (head.seq === 0) return;
  if (head.seq > here.seq) {
    throw new DeskError(
      'journal_behind',
      `The fleet is at row ${head.seq}, and this journal ends at row ${here.seq}.`,
      {
        remedy: 'Run this one as a standby (makerdesk standby) until it has followed, then have it take over.',
      },
    );
  }
  if (own.rows(head.seq, head.seq)[0]?.hash === head.hash) return;
  throw new DeskError(
    'journal_forked',
    `Row ${head.seq} of the fleet is another one than here: this desk was taken over.`,
    {
      remedy: 'Nothing that it wrote since has left it. Run a standby in a new folder, and keep this one.',
    },
  );
}

function takenOver(): DeskError {
  return new DeskError(
    'fleet_taken_over',
    'Another desk has taken over: nothing that this one writes counts any more.',
    {
      remedy: 'End this one. Run it as a standby in a new folder; nobody else has what it wrote last.',
    },
  );
}
