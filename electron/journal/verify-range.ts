import type { Database, Statement } from 'better-sqlite3';
import { archiveFault } from './archived-bodies.ts';
import { GENESIS_HASH, rowHash } from './row-hash.ts';
import type { Slice } from './slice.ts';
import { AGAIN, type Cell, type Gathering, type OwnRows, type PlainCells, type RowMarks } from './table-proof.ts';
import { ROWS_PER_MARK } from './time-marks.ts';

/** What a walk over some rows found. */
export type VerifiedRange = {
  firstBad: number | null;
  detail: string | null;
  /** The first row of a table that is not what its event says, in a sentence. */
  tableFault: string | null;
  facts: RangeFacts;
};

/** What the rows say of other rows, by slice, and the earliest and latest time under each mark of times. */
export type RangeFacts = { ofSlices: unknown[]; times: Map<number, [earliest: number, latest: number]> };

type RawRow = [seq: number, time: number, actor: string, kind: string, body: string, previous: string, hash: string];
type AnyEvent = { seq: number; time: number; actor: string; kind: string; body: unknown };

/** Few enough that what was read of them still lies in the processor's caches when it is looked at. */
const ROWS_AT_ONCE = 500;

export type Range = { from: number; to: number; slices: readonly Slice[]; marks: RowMarks };

/**
 * Walks the chain from one row to another, both included; `from - 1` must be there unless it is 0. Stops at the first
 * row that is not as it was written. Whoever reads the range before this one vouches for the row before it. On the way each
 * row is compared with what stands of it in tables, and what it says of other rows is gathered.
 */
export function verifyRange(
  db: Database,
  { from, to, slices, marks }: Range,
  onProgress: (checked: number) => void,
): VerifiedRange {
  const rows: Statement<[number, number], RawRow> = db
    .prepare<[number, number], RawRow>(`
      SELECT seq, time, actor, kind, body, lower(hex(previous)), lower(hex(hash))
      FROM journal WHERE seq BETWEEN ? AND ? ORDER BY seq`)
    .raw();
  const before = db.prepare<[number], string>('SELECT lower(hex(hash)) FROM journal WHERE seq = ?').pluck();
  const walk = { expected: from, lastHash: GENESIS_HASH };
  const tables = new RowTables(db, slices, marks);
  const result = (firstBad: number | null, detail: string | null): VerifiedRange => {
    return { firstBad, detail, tableFault: tables.fault, facts: tables.facts() };
  };

  const check = ([seq, time, actor, kind, body, previous, stored]: RawRow): string | null => {
    if (seq !== walk.expected) return `Row ${walk.expected} is missing.`;
    if (previous !== walk.lastHash) return `Row ${seq} does not follow the row before it.`;
    const unread = archiveFault(body);
    if (unread !== null) return `Row ${seq} cannot be read: ${unread}`;
    if (rowHash({ seq, time, actor, kind, body, previous }) !== stored) return `Row ${seq} was changed.`;
    walk.expected += 1;
    walk.lastHash = stored;
    return null;
  };
  const firstFault = (chunk: Iterable<RawRow>): string | null => {
    for (const row of chunk) {
      const fault = check(row);
      if (fault !== null) return fault;
      tables.take(row);
    }
    return null;
  };
  const walkTo = (end: number): string | null => {
    tables.begin(walk.expected, end);
    let chunk: RawRow[] | undefined;
    try {
      chunk = rows.all(walk.expected, end);
    } catch {
      // A page that cannot be read spoils the whole chunk; row by row the first one is found.
    }
    const fault = firstFault(chunk ?? rows.iterate(walk.expected, end));
    if (fault === null) tables.end();
    return fault;
  };

  try {
    if (from > 1) walk.lastHash = before.get(from - 1) ?? 'missing';
    while (walk.expected <= to) {
      marks.goOn();
      const end = Math.min(walk.expected + ROWS_AT_ONCE - 1, to);
      const fault = walkTo(end) ?? (walk.expected <= end ? `Row ${walk.expected} is missing.` : null);
      if (fault !== null) return result(walk.expected, fault);
      onProgress(walk.expected - from);
    }
    return result(null, null);
  } catch (error) {
    return result(walk.expected, `Row ${walk.expected} cannot be read: ${String(error)}`);
  }
}

/** What rows say of tables. After the first fault nothing is compared any more, for the walk goes on along the chain. */
class RowTables {
  fault: string | null = null;
  readonly #marks: RowMarks;
  readonly #times: RangeFacts['times'] = new Map();
  readonly #kinds = new Map<string, ((event: never) => void)[]>();
  /** Kinds of which nothing is wanted but a row of this table. */
  readonly #plain = new Map<string, { table: OwnTable; cells: PlainCells }>();
  /** Kinds that are projected again whatever happens. */
  readonly #again = new Set<string>();
  #gatherings: (Gathering | null)[] = [];
  #own: OwnTable[] = [];

  constructor(db: Database, slices: readonly Slice[], marks: RowMarks) {
    this.#marks = marks;
    this.#within(() => {
      for (const { events } of slices) for (const kind of Object.keys(events)) this.#kinds.set(kind, []);
      const inParts = new Set(slices.flatMap(({ proof }) => proof?.kinds ?? []));
      for (const kind of this.#kinds.keys()) if (!inParts.has(kind)) this.#again.add(kind);
      this.#gatherings = slices.map(({ proof }) => proof?.gather(db, marks) ?? null);
      this.#own = slices.flatMap(({ proof }) => proof?.ownRows.map((rows) => new OwnTable(db, rows)) ?? []);
      for (const { names = {} } of slices) {
        this.#on(names, (rowsOf) => (event) => {
          for (const seq of rowsOf(event)) marks.set(seq, AGAIN);
        });
      }
      for (const table of this.#own) {
        this.#on(table.ofKind, (cells) => (event: never) => {
          this.fault ??= table.compare((event as AnyEvent).seq, cells(event));
        });
      }
      for (const gathering of this.#gatherings) this.#on(gathering?.take ?? {}, (take) => take);
      for (const table of this.#own) {
        for (const [kind, cells] of Object.entries(table.plain)) {
          if (this.#kinds.get(kind)?.length === 1 && !this.#again.has(kind)) this.#plain.set(kind, { table, cells });
        }
      }
    });
  }

  /** The rows from one to another come next. */
  begin(from: number, to: number): void {
    this.#within(() => {
      for (const table of this.#own) table.begin(from, to);
    });
  }

  take([seq, time, actor, kind, body]: RawRow): void {
    this.#within(() => {
      const block = Math.floor(seq / ROWS_PER_MARK);
      const times = this.#times.get(block);
      if (times === undefined) this.#times.set(block, [time, time]);
      else if (time < times[0]) times[0] = time;
      else if (time > times[1]) times[1] = time;
      const plain = this.#plain.get(kind);
      const cells = plain?.cells(seq, time, body) ?? null;
      if (plain !== undefined && cells !== null) {
        this.fault ??= plain.table.compare(seq, cells);
        return;
      }
      if (this.#again.has(kind)) this.#marks.set(seq, AGAIN);
      const steps = this.#kinds.get(kind);
      if (steps === undefined) throw new Error(`row ${seq} is of no known kind`);
      if (steps.length === 0) return;
      const event = { seq, time, actor, kind, body: JSON.parse(body) };
      for (const step of steps) step(event as never);
    });
  }

  /** All rows that were said to come have come. */
  end(): void {
    for (const table of this.#own) this.fault ??= table.end();
  }

  facts(): RangeFacts {
    return { ofSlices: this.#gatherings.map((gathering) => gathering?.facts()), times: this.#times };
  }

  #on<Step>(of: Readonly<Record<string, Step>>, made: (step: Step) => (event: never) => void): void {
    for (const [kind, step] of Object.entries(of)) this.#kinds.get(kind)?.push(made(step));
  }

  #within(work: () => void): void {
    if (this.fault !== null) return;
    try {
      work();
    } catch (error) {
      this.fault = `The tables cannot be proven: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

/** A table with a row for each event of some kinds, read in step with the journal. */
class OwnTable {
  readonly ofKind;
  readonly plain;
  readonly #table;
  readonly #select;
  #rows: Cell[][] = [];
  #next = 0;

  constructor(db: Database, { table, columns, ofKind, plain = {} }: OwnRows) {
    this.ofKind = ofKind;
    this.plain = plain;
    this.#table = table;
    this.#select = db
      .prepare<[number, number], Cell[]>(`SELECT ${columns} FROM ${table} WHERE seq BETWEEN ? AND ? ORDER BY seq`)
      .raw();
  }

  begin(from: number, to: number): void {
    this.#rows = this.#select.all(from, to);
    this.#next = 0;
  }

  /** Whether the next row is that of this event. */
  compare(seq: number, cells: readonly Cell[]): string | null {
    const row = this.#rows[this.#next];
    const at = row?.[0] ?? null;
    if (at !== null && Number(at) < seq) return this.#strange(at);
    if (row === undefined || at !== seq) return `The table of ${this.#table} has no row ${seq}.`;
    this.#next += 1;
    if (cells.every((cell, index) => cell === row[index])) return null;
    return `The table of ${this.#table} says something else than row ${seq} of the journal.`;
  }

  end(): string | null {
    const row = this.#rows[this.#next];
    return row === undefined ? null : this.#strange(row[0] ?? null);
  }

  #strange(seq: Cell): string {
    return `The table of ${this.#table} has a row ${seq}, for which there is no event in the journal.`;
  }
}
