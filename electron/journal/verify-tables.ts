import Sqlite, { type Database } from 'better-sqlite3';
import { migrationsOf, projectedTables } from './migrations.ts';
import { createProjector, type Slice, type StoredEvent } from './slice.ts';
import { AGAIN, type Found, type RowMarks } from './table-proof.ts';
import { ROWS_PER_MARK, TimeMarks } from './time-marks.ts';
import type { RangeFacts } from './verify-range.ts';

type Row = StoredEvent & { previous: Buffer; hash: Buffer };
type Settled = { found: (parts: readonly RangeFacts[]) => readonly unknown[] } & Pick<Slice, 'proof'> & {
    fault: (found: Found, anew: Database) => string | null;
  };

/**
 * Proves the tables against the rows of the journal, as of the moment it is made: rows of events of which there are very many by
 * the slices themselves, everything else by projecting it again into a database that goes away.
 */
export class TableVerifier {
  /** The last row of the journal then. */
  readonly last: number;
  readonly #db: Database;
  readonly #slices: readonly Slice[];
  #settled: Settled[] = [];
  #fault: string | null = null;

  constructor(db: Database, slices: readonly Slice[]) {
    this.#db = db;
    this.#slices = slices;
    db.exec('BEGIN');
    this.last = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck().get() ?? 0;
  }

  /** What the tables say among themselves; this takes a while, in which the chain can be walked. */
  begin(): void {
    this.#within(() => {
      this.#settled = this.#slices.map(({ proof }, index) => ({
        proof,
        found: (parts) => parts.map(({ ofSlices }) => ofSlices[index]),
        fault: proof?.settle(this.#db, this.last) ?? (() => null),
      }));
      return this.#rowsBeyond();
    });
  }

  /** The first difference in a sentence, or null, once the chain up to `last` was walked: `parts` in the order of the rows. */
  end(parts: readonly RangeFacts[], marks: RowMarks): string | null {
    const anew = new Sqlite(''); // on disk where it does not fit into memory
    try {
      this.#within(() => {
        for (const step of migrationsOf(this.#slices)) step(anew);
        anew.exec('BEGIN');
        const settled = this.#settled.map(({ found, ...rest }) => ({ ...rest, found: { parts: found(parts), marks } }));
        for (const { proof, found } of settled.toReversed()) proof?.again?.(this.#db, found);
        this.#projectAgain(anew, marks);
        writeTimes(anew, parts);
        for (const { fault, found } of settled) {
          marks.goOn();
          const sentence = fault(found, anew);
          if (sentence !== null) return sentence;
        }
        return this.#tablesFault(anew, marks);
      });
    } finally {
      anew.close();
      this.#db.exec('ROLLBACK');
    }
    return this.#fault;
  }

  #within(work: () => string | null): void {
    if (this.#fault !== null) return;
    try {
      this.#fault = work();
    } catch (error) {
      this.#fault = `The tables cannot be proven: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  /** Rows of which there is no event in the journal, since they are outside of its numbers. */
  #rowsBeyond(): string | null {
    for (const { table } of this.#slices.flatMap(({ proof }) => proof?.ownRows ?? [])) {
      const seq = this.#db
        .prepare<[number], number>(`SELECT seq FROM ${table} WHERE seq < 1 OR seq > ? LIMIT 1`)
        .pluck()
        .get(this.last);
      if (seq !== undefined)
        return `The table of ${table} has a row ${seq}, for which there is no event in the journal.`;
    }
    return null;
  }

  #projectAgain(anew: Database, marks: RowMarks): void {
    const project = createProjector(anew, this.#slices);
    const insert = anew.prepare('INSERT INTO journal VALUES (@seq, @time, @actor, @kind, @body, @previous, @hash)');
    const rowAt = this.#db.prepare<[number], Row>('SELECT * FROM journal WHERE seq = ?');
    for (let seq = 1; seq <= this.last; seq += 1) {
      const row = marks.has(seq, AGAIN) ? rowAt.get(seq) : undefined;
      if (row === undefined) continue;
      marks.goOn();
      insert.run(row);
      project(row);
    }
  }

  #tablesFault(anew: Database, marks: RowMarks): string | null {
    const others = new Set(this.#slices.flatMap(({ proof, counted = [] }) => [...counted, ...(proof?.tables ?? [])]));
    const compared = Object.assign({}, ...this.#slices.map((slice) => slice.compared ?? {}));
    for (const table of projectedTables(this.#slices)) {
      if (others.has(table)) continue;
      marks.goOn();
      const [is, ought] = [contents(this.#db, table, compared[table]), contents(anew, table, compared[table])];
      for (;;) {
        const [row, expected] = [is.next(), ought.next()];
        if (row.done && expected.done) break;
        if (row.value === expected.value) continue;
        is.return(undefined);
        ought.return(undefined);
        const which = row.done ? `lacks ${expected.value}` : `has ${row.value}`;
        return `The table ${table} is not what the journal says: it ${which.slice(0, 200)}.`;
      }
    }
    return null;
  }
}

function writeTimes(anew: Database, parts: readonly RangeFacts[]): void {
  const marks = new TimeMarks(anew);
  for (const { times } of parts) {
    for (const [block, ends] of times) for (const time of ends) marks.add(block * ROWS_PER_MARK, time);
  }
  marks.write();
}

/** Every row of a table as JSON, in one order; `compared` says what of it counts. */
function* contents(db: Database, table: string, compared = (row: string) => row): Generator<string, undefined> {
  const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name).sort();
  const order = columns.join(', ');
  for (const row of db.prepare(`SELECT ${order} FROM ${table} ORDER BY ${order}`).raw().iterate()) {
    yield compared(JSON.stringify(row, (_, value) => (value?.type === 'Buffer' ? bufferText(value.data) : value)));
  }
  return undefined;
}

function bufferText(bytes: number[]): string {
  return Buffer.from(bytes).toString('hex');
}
