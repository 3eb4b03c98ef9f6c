import { randomUUID } from 'node:crypto';
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { KvEntry } from '@nats-io/kv';
import { z } from 'zod';
import { DeskError } from '../protocol/desk-error.ts';
import { pause } from '../time/pause.ts';
import type { FleetServer } from './fleet-server.ts';
import { LEASE_MS } from './lease.ts';
import { RowsStream } from './rows-stream.ts';

const RENEW_MS = 500;
const AGAIN_MS = 50;
/** Whoever wants the seat looks for so long whether it is renewed: a slow renewal is one all the same. */
const LOOK_MS = 2 * LEASE_MS;
/** A seat at which it could not look steadily after so many times is left alone. */
const MOST_STOOD = 10;

const KEY = 'writer';
const holderSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  turn: z.int().min(1),
  /** Whether it was left in order: nobody needs to wait for a renewal. */
  left: z.boolean(),
});

/** Who has the seat: the one desk that writes. `turn` counts how often it changed hands. */
export type SeatHolder = z.infer<typeof holderSchema>;
/** Whoever has it, where their name cannot be read. */
const SOMEBODY = { name: 'Another desk' };

/**
 * Who has the seat, and as which revision that stands in the fleet server; null while nobody ever had it. `holder` is null where what stands
 * there names nobody: whoever may ask the server anything can have it put an answer there.
 */
export async function seatHolder({
  bucket,
}: FleetServer): Promise<{ holder: SeatHolder | null; revision: number } | null> {
  const entry = await bucket.get(KEY);
  if (entry === null || entry.operation !== 'PUT') return null;
  return { holder: holderOf(entry), revision: entry.revision };
}

/**
 * The seat of the one desk that writes. Which rows count is decided by the stream alone; the seat says who may open a turn, and a desk
 * that cannot renew it in time stops by itself before somebody else begins.
 */
export class Seat {
  readonly holder: SeatHolder;
  readonly #server: FleetServer;
  readonly #monotonic: () => number;
  readonly #over = new AbortController();
  readonly #renewing: Promise<void>;
  #revision: number;
  /** When the newest renewal that was taken had been sent, on a clock that never jumps. */
  #renewedAt: number;
  #isLost = false;

  private constructor(server: FleetServer, holder: SeatHolder, revision: number, monotonic: () => number) {
    this.#server = server;
    this.holder = holder;
    this.#revision = revision;
    this.#monotonic = monotonic;
    this.#renewedAt = monotonic();
    this.#renewing = this.#renew();
  }

  /**
   * Takes the seat where nobody has it, or its holder does not renew it any more; `byForce`: whoever has it, at once, and with `standing`
   * only where it is read as this revision once more, and still stands so. Throws DeskError `fleet_taken` where somebody else has it, or was quicker.
   */
  static async take(
    server: FleetServer,
    {
      name,
      byForce,
      standing = null,
      monotonic,
    }: { name: string; byForce: boolean; standing?: number | null; monotonic: () => number },
  ): Promise<Seat> {
    const found = await seatHolder(server);
    // Its holder may have renewed it since; or this is old news, by which the turn of the next one would be too low.
    if (standing !== null && found?.revision !== standing) throw taken(found?.holder ?? SOMEBODY);
    const id = randomUUID();
    try {
      if (found === null) {
        const holder = { id, name, turn: 1, left: false };
        return new Seat(server, holder, await server.bucket.create(KEY, JSON.stringify(holder)), monotonic);
      }
      const isFree = byForce || found.holder?.left === true;
      if (!isFree && (await isRenewed(server, found.revision, monotonic))) throw taken(found.holder ?? SOMEBODY);
      const turn = found.holder?.turn ?? (await new RowsStream(server).last())?.turn ?? 0;
      const holder = { id, name, turn: turn + 1, left: false };
      // What is read may be what stood there before, by a server of a cluster that is cut off; a write is not taken by such a one.
      const revision = await server.bucket.update(KEY, JSON.stringify(holder), found.revision);
      return new Seat(server, holder, revision, monotonic);
    } catch (error) {
      if (!isWrongRevision(error)) throw error;
      const now = (await seatHolder(server))?.holder;
      // Its holder has only renewed it at that very moment.
      const isSame = found !== null && (found.holder === null || now?.id === found.holder.id);
      if (byForce && standing === null && isSame) {
        await pause(AGAIN_MS);
        return Seat.take(server, { name, byForce, monotonic });
      }
      throw taken(now ?? SOMEBODY);
    }
  }

  /** Whether somebody else has taken it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether it was renewed in time, so that nobody has taken it who waited for that. */
  get isFresh(): boolean {
    return !this.#isLost && this.#monotonic() - this.#renewedAt < LEASE_MS;
  }

  /** Leaves it, so that the next one need not wait; a fleet server that does not answer lets it run out. */
  async close(): Promise<void> {
    if (this.#over.signal.aborted) return this.#renewing;
    this.#over.abort();
    await this.#renewing;
    if (this.#isLost) return;
    const left = { ...this.holder, left: true };
    await this.#server.bucket.update(KEY, JSON.stringify(left), this.#revision, RENEW_MS).catch(() => {});
  }

  async #renew(): Promise<void> {
    const { signal } = this.#over;
    for (let isDue = false; !signal.aborted && !this.#isLost; ) {
      if (!isDue) await pause(RENEW_MS, signal);
      if (signal.aborted) return;
      const sentAt = this.#monotonic();
      try {
        this.#revision = await this.#server.bucket.update(KEY, JSON.stringify(this.holder), this.#revision, LEASE_MS);
        this.#renewedAt = sentAt;
        isDue = false;
      } catch {
        isDue = await this.#readAgain(sentAt);
      }
    }
  }

  /**
   * A renewal whose answer was lost may have been taken: then the entry is still ours, with another revision. Returns whether it is to be
   * renewed at once: whoever takes the seat says so, and what names nobody is written over.
   */
  async #readAgain(sentAt: number): Promise<boolean> {
    try {
      const found = await seatHolder(this.#server);
      if (found !== null && found.holder === null) {
        this.#revision = found.revision;
        return true;
      }
      this.#isLost = found?.holder?.id !== this.holder.id;
      if (this.#isLost || found === null) return false;
      if (found.revision !== this.#revision) this.#renewedAt = sentAt;
      this.#revision = found.revision;
    } catch {
      // The fleet server does not answer: the lease runs out by itself.
    }
    return false;
  }
}

/** Whether the seat changes within the time in which every holder that lives renews it. */
async function isRenewed(server: FleetServer, revision: number, monotonic: () => number): Promise<boolean> {
  let since = monotonic();
  for (let lookedAt = since, stood = 0; ; ) {
    await pause(RENEW_MS / 2);
    if ((await seatHolder(server))?.revision !== revision) return true;
    const now = monotonic();
    // This process stood still, and with it perhaps all of the machine, or the server is slow: that says nothing of the holder.
    if (now - lookedAt > 4 * RENEW_MS) {
      stood += 1;
      if (stood > MOST_STOOD) return true;
      since = now;
    } else if (now - since >= LOOK_MS) return false;
    lookedAt = now;
  }
}

function holderOf(entry: KvEntry): SeatHolder | null {
  try {
    return holderSchema.parse(entry.json());
  } catch {
    return null;
  }
}

function isWrongRevision(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence;
}

function taken({ name }: Pick<SeatHolder, 'name'>): DeskError {
  return new DeskError('fleet_taken', `${name} writes this desk’s journal at this moment: two never do.`, {
    remedy: 'Run this one as a standby (makerdesk standby), or end the other one first.',
  });
}
