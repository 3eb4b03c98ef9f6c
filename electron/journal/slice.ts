import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import { DeskError } from '../protocol/desk-error.ts';
import type { TableProof } from './table-proof.ts';
import type { PastRows, Telling } from './telling.ts';

/** A row of the journal on its way into the tables. `time` is Unix milliseconds. */
export type Recorded<Kind extends string, Body> = { seq: number; time: number; actor: string; kind: Kind; body: Body };

/** What each of these kinds of event does to tables. */
export type ProjectionsOf<Events extends Record<string, z.ZodType>> = {
  [Kind in keyof Events & string]: (event: Recorded<Kind, z.infer<Events[Kind]>>) => void;
};

/** A step from one schema to the next. */
export type Migration = (db: Database) => void;

/**
 * All that the journal knows of a domain. The journal itself knows no kind of event: it appends, chains, projects, verifies
 * and rebuilds what the slices in its list say.
 */
export interface Slice {
  /** The domain's events by kind, with their bodies: their only declaration. */
  readonly events: Readonly<Record<string, z.ZodType>>;
  /** Kinds of which there are thousands a second, made in one place: their bodies are taken as the compiler checked them. */
  readonly unchecked?: readonly string[];
  /** The tables that its events are projected into. They are emptied and made anew by a rebuild, and proven by verifying. */
  readonly tables: readonly string[];
  /** Its steps of the schema by number, never changed once released. A number counts for the whole file; see migrations.ts. */
  readonly migrations: Readonly<Record<number, Migration>>;
  /** What events, also those of slices before it in the list, do to its tables, within the caller's transaction. */
  readonly project: (db: Database) => Readonly<Record<string, (event: never) => void>>;
  /** How those of its tables that have very many rows are proven; without, all are made anew by verifying, and compared. */
  readonly proof?: TableProof;
  /** Which rows of the journal, there called `j`, may leave it for an archive: SQL that is true of those nobody needs but to look back. */
  readonly archived?: readonly string[];
  /** Rows without which an event cannot be projected, also of other slices. */
  readonly names?: Readonly<Record<string, (event: never) => readonly number[]>>;
  /** What of it is known outside the journal as well. */
  readonly witnessed?: Witnessed;
  /** How a row of some of its tables, as JSON, is compared with one made anew: what earlier programs did not write is left out. */
  readonly compared?: Readonly<Record<string, (row: string) => string>>;
  /** Those of its tables that only count what is in others, and are not proven by verifying. */
  readonly counted?: readonly string[];
  /** Writes to tables outside the chain, by table: the last value counts, and nobody has to prove it later. */
  readonly plain?: Readonly<Record<string, z.ZodType>>;
  readonly writePlain?: (db: Database) => Readonly<Record<string, (write: never) => void>>;
  /** Each of its kinds of event as people read it; `past` and `db` are for what was before. */
  readonly tell: (past: PastRows, db: Database) => Readonly<Record<string, Telling<never>>>;
  /** Named, read-only questions about its tables. */
  readonly queries: (db: Database) => Readonly<Record<string, (...args: never[]) => unknown>>;
}

/**
 * What a domain has the witness of its desk keep outside the folder, so that it is not lost with the journal. It is JSON; its keys
 * stand beside those of other slices.
 */
export interface Witnessed {
  /** What may be known, by key. A witness that an earlier program wrote may lack any of it. */
  readonly known: Readonly<Record<string, z.ZodType>>;
  /** Whether there is anything in the journal that must not be lost. */
  readonly matters: (db: Database) => boolean;
  /**
   * Compares what the witness `said` with the journal that is being opened; nothing was said where there is no witness. Returns what
   * speaks against the journal, what is to be known from now on, and what the desk has to know. `now` is Unix milliseconds.
   */
  readonly compare: (db: Database, said: never, now: number) => { doubts: string[]; known: object; found: object };
  /** What is to be known after an event of these kinds: the same object where that changes nothing. */
  readonly after: Readonly<Record<string, (known: never, body: never) => object>>;
}

/** An event as it is stored, with its body as text. */
export type StoredEvent = Recorded<string, string>;

/**
 * Brings a row of the journal into the tables of every slice, in the order of the list, within the caller's transaction. It
 * reads the row as stored, so that the first time and a rebuild cannot differ. What it returns throws when the row contradicts
 * what is there; the caller rolls back.
 */
export function createProjector(db: Database, slices: readonly Slice[]): (event: StoredEvent) => void {
  const steps = new Map<string, ((event: unknown) => void)[]>();
  for (const { events } of slices) for (const kind of Object.keys(events)) steps.set(kind, []);
  for (const slice of slices) {
    for (const [kind, step] of Object.entries(slice.project(db))) {
      // The kind chooses the body's schema, which the compiler cannot follow through a lookup.
      steps.get(kind)?.push(step as (event: unknown) => void);
    }
  }
  return ({ seq, time, actor, kind, body }) => {
    const ofKind = steps.get(kind);
    if (ofKind === undefined) refuseRow(`"${kind}" is not a kind of event.`);
    const event = { seq, time, actor, kind, body: JSON.parse(body) };
    for (const step of ofKind) step(event);
  };
}

/** Projections of one slice that take the same events, one after the other. */
export function inTurn(
  ...parts: readonly Readonly<Record<string, (event: never) => void>>[]
): Record<string, (event: never) => void> {
  const kinds = new Set(parts.flatMap((part) => Object.keys(part)));
  return Object.fromEntries(
    [...kinds].map((kind) => {
      const steps = parts.flatMap((part) => part[kind] ?? []);
      return [kind, (event: never) => steps.forEach((step) => void step(event))];
    }),
  );
}

/**
 * Writes to the tables outside the chain, within the caller's transaction. What a newer desk keeps beside its rows in a table that is not
 * known here is left out where it is followed.
 */
export function createPlainWriter(db: Database, slices: readonly Slice[]): (write: { readonly table: string }) => void {
  const tables = Object.assign({}, ...slices.map(({ writePlain }) => writePlain?.(db) ?? {}));
  return (write) => tables[write.table]?.(write);
}

/** The row contradicts what the journal already holds. It is refused alone; the rows beside it are written. */
export function refuseRow(sentence: string): never {
  throw new DeskError('journal_row_refused', sentence, {
    remedy: 'Nothing was written. This is a fault of the program: keep the log and report it.',
  });
}
