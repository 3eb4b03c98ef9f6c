import type { Database } from 'better-sqlite3';
import { type Head, HeadFile, headFile } from './head-file.ts';
import type { OpenedFile } from './open-journal-file.ts';
import type { Slice } from './slice.ts';
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
  readonly #steps = new Map<string, ((known: object, body: unknown) => object)[]>();
  #known: object;
  #head: HeadFile | null = null;
  #last: Head | null = null;
  #witness: HeadFile | null = null;
  #fault: string | null = null;

  /**
   * `known` is what the slices have a witness know so far. `tell` hears why there is no witness from now on, in a sentence, and
   * null once there is one again.
   */
  constructor(
    {
      folder,
      place,
      db,
      known,
      slices,
    }: Pick<OpenedFile, 'db' | 'known'> & { folder: string; place: string | undefined; slices: readonly Slice[] },
    tell: (fault: string | null) => void,
  ) {
    this.#folder = folder;
    this.#place = place;
    this.#db = db;
    this.#known = known;
    this.#tell = tell;
    for (const { witnessed } of slices) {
      for (const [kind, step] of Object.entries(witnessed?.after ?? {})) {
        // The kind chooses the body's schema, which the compiler cannot follow through a lookup.
        this.#steps.set(kind, [...(this.#steps.get(kind) ?? []), step as (known: object, body: unknown) => object]);
      }
    }
  }

  /** A row was written. What a witness must know of it is in the next note, which is before anybody is told that it is durable. */
  written({ kind, body }: EventText): void {
    for (const step of this.#steps.get(kind) ?? []) {
      const known = step(this.#known, JSON.parse(body));
      if (known !== this.#known) this.#leave();
      this.#known = known;
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
      this.#witness = keepWitness(place, this.#folder, { desk: this.#desk(), head, known: this.#known });
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
