import type { Database } from 'better-sqlite3';
import { type HandOrder, handOrderSchema } from './desk/events.ts';
import type { EventBody } from './events.ts';
import { type Head, HeadFile, headFile } from './head-file.ts';
import type { OpenedFile } from './open-journal-file.ts';
import { keepWitness } from './witness.ts';
import type { EventText } from './write-item.ts';

/**
 * The last row, noted beside the journal and by its witness. What they said before is written over only once a row is durable:
 * where they speak against the journal, that row says so.
 */
export class NotedEnd {
  readonly #folder: string;
  readonly #place: string | undefined;
  readonly #db: Database;
  readonly #tell: (fault: string | null) => void;
  readonly #handOrders: HandOrder[];
  #longestLifetimeSeconds: number;
  #head: HeadFile | null = null;
  #last: Head | null = null;
  #witness: HeadFile | null = null;
  #fault: string | null = null;

  /**
   * `handOrders` are those that a witness must know: signed by hand, and not over. `tell` hears why there is no witness
   * from now on, in a sentence, and null once there is one again.
   */
  constructor(
    {
      folder,
      place,
      db,
      handOrders,
      longestLifetimeSeconds,
    }: Pick<OpenedFile, 'db' | 'handOrders' | 'longestLifetimeSeconds'> & { folder: string; place: string | undefined },
    tell: (fault: string | null) => void,
  ) {
    this.#folder = folder;
    this.#place = place;
    this.#db = db;
    this.#handOrders = handOrders;
    this.#longestLifetimeSeconds = longestLifetimeSeconds;
    this.#tell = tell;
  }

  /** A row was written. What a witness must know of it is in the next note, which is before anybody is told that it is durable. */
  written({ kind, body }: EventText): void {
    if (kind === 'nft_order') {
      this.#handOrders.push(handOrderSchema.parse(JSON.parse(body)));
      this.#leave();
    }
    if (kind === 'desk_configured') {
      const { desk }: EventBody<'desk_configured'> = JSON.parse(body);
      const longest = Math.max(0, ...desk.chains.map(({ quoteLifetimeSeconds }) => quoteLifetimeSeconds));
      if (longest <= this.#longestLifetimeSeconds) return;
      this.#longestLifetimeSeconds = longest;
      this.#leave();
    }
  }

  /** Throws when the head cannot be written. */
  note(head: Head): void {
    if (this.#head === null) this.#head = new HeadFile(headFile(this.#folder), head);
    else this.#head.write(head);
    this.#last = head;
    if (this.#fault === null) this.#bearWitness();
  }

  /**
   * Where the head or the witness was taken away, or there is no witness, it is made anew: what this desk wrote is whole, and the
   * next start must find it so. Called every now and then.
   */
  look(): void {
    this.#keepHead();
    if (this.#witness !== null && !this.#witness.isInPlace()) this.#leave();
    if (this.#witness === null) this.#bearWitness();
  }

  close(): void {
    this.#head?.close();
    this.#leave();
  }

  #keepHead(): void {
    const [left, last] = [this.#head, this.#last];
    if (left === null || last === null || left.isInPlace()) return;
    try {
      this.#head = new HeadFile(headFile(this.#folder), last);
      left.close();
    } catch {
      // The folder itself is gone, or takes no file: a start there finds no head, which speaks against it.
    }
  }

  #bearWitness(): void {
    const [place, head] = [this.#place, this.#last];
    if (place === undefined || head === null || head.seq === 0) return;
    try {
      if (this.#witness !== null) {
        this.#witness.write(head);
        return;
      }
      const known = { handOrders: this.#handOrders, longestLifetimeSeconds: this.#longestLifetimeSeconds };
      this.#witness = keepWitness(place, this.#folder, { desk: this.#desk(), head, ...known });
      this.#say(null);
    } catch (error) {
      this.#leave();
      this.#say(`The witness of this desk cannot be written to ${place} (${String(error)}).`);
    }
  }

  #say(fault: string | null): void {
    if (fault === this.#fault) return;
    this.#fault = fault;
    this.#tell(fault);
  }

  /** The next note makes the witness anew. */
  #leave(): void {
    const left = this.#witness;
    this.#witness = null;
    try {
      left?.close();
    } catch {
      // Its disk is gone; the next witness says so where that matters.
    }
  }

  #desk(): string {
    return this.#db.prepare<[], string>('SELECT lower(hex(hash)) FROM journal WHERE seq = 1').pluck().get() ?? '';
  }
}
