import type { Database } from 'better-sqlite3';

/**
 * How a slice proves tables of which there are too many rows to make them anew when the journal is verified. What an event by itself
 * says of a row is compared where the chain is walked, a part of it in each thread; what became of the rows, once all is walked.
 */
export interface TableProof {
  /** Kinds of event that are not projected again, but for the rows that were marked with `AGAIN`. */
  readonly kinds: readonly string[];
  /** The tables that are proven here. All others are made anew and compared. */
  readonly tables: readonly string[];
  readonly ownRows: readonly OwnRows[];
  /** In a thread that walks a part of the chain: what its events say of rows elsewhere. */
  readonly gather: (db: Database, marks: RowMarks) => Gathering;
  /** Marks more rows that must be projected again. Slices are asked from the last one to the first. */
  readonly again?: (db: Database, found: Found) => void;
  /**
   * In the thread that proves the tables, as of the row `last`: at once what they say among themselves, and when all is walked
   * whether that is what the rows say. The first difference in a sentence, or null; `anew` has what was projected again.
   */
  readonly settle: (db: Database, last: number) => (found: Found, anew: Database) => string | null;
}

/** A table with one row for each event of some kinds, by the event's sequence, and what such a row says for good. */
export interface OwnRows {
  readonly table: string;
  /** In SQL; the sequence comes first. */
  readonly columns: string;
  /** What these columns hold, by the kind of event. */
  readonly ofKind: Readonly<Record<string, (event: never) => readonly Cell[]>>;
  /** The same for kinds of which there are very many. */
  readonly plain?: Readonly<Record<string, PlainCells>>;
}
export type Cell = number | string | null;

/**
 * What the columns hold, read off the text of a body that is written as this desk writes them, for less than it takes to parse it;
 * null for any other, of which only a parser can tell.
 */
export type PlainCells = (seq: number, time: number, body: string) => readonly Cell[] | null;

export interface Gathering {
  readonly take: Readonly<Record<string, (event: never) => void>>;
  /** What was gathered, as it goes to another thread. */
  readonly facts: () => unknown;
}

/** `parts`: what the slice gathered in each part of the chain, in the order of the rows. */
export type Found = { readonly parts: readonly unknown[]; readonly marks: RowMarks };

/** The row is projected again. The other bits of a mark belong to the slice whose rows they are on. */
export const AGAIN = 1;

/** More rows than a journal has. A number beyond is that of a row out of its place, which the walk along the chain finds. */
const MOST_ROWS = 2 ** 30;

/** A byte for each row of a journal, shared by the threads that verify it; the byte of row 0, which none has, breaks them off. */
export class RowMarks {
  readonly bytes: Uint8Array<SharedArrayBuffer>;

  constructor(bytes: Uint8Array<SharedArrayBuffer>) {
    this.bytes = bytes;
  }

  /** Marks for the rows up to `last`, without any yet. */
  static upTo(last: number): RowMarks {
    return new RowMarks(new Uint8Array(new SharedArrayBuffer(last > MOST_ROWS ? 0 : last + 1)));
  }

  set(seq: number, bit: number): void {
    if (seq > 0 && seq < this.bytes.length) Atomics.or(this.bytes, seq, bit);
  }

  has(seq: number, bit: number): boolean {
    return ((this.bytes[seq] ?? 0) & bit) !== 0;
  }

  /** Nobody wants to know any more: the threads end soon, and what they say then means nothing. */
  breakOff(): void {
    if (this.bytes.length > 0) Atomics.store(this.bytes, 0, 1);
  }

  /** Throws once it is broken off. */
  goOn(): void {
    if (this.bytes.length > 0 && Atomics.load(this.bytes, 0) !== 0) throw new Error('It was interrupted.');
  }
}
