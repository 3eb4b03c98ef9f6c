import type { Database } from 'better-sqlite3';

/** Rows of the journal under one mark. */
export const ROWS_PER_MARK = 1024;

type Mark = { block: number; earliest: number; latest: number };

/** Collects the times of rows and writes them once a transaction. */
export class TimeMarks {
  readonly #save;
  #marks: Mark[] = [];

  constructor(db: Database) {
    this.#save = db.prepare<[number, number, number]>(`
      INSERT INTO time_marks (block, earliest, latest) VALUES (?, ?, ?)
      ON CONFLICT (block) DO UPDATE
      SET earliest = min(earliest, excluded.earliest), latest = max(latest, excluded.latest)`);
  }

  add(seq: number, time: number): void {
    const block = Math.floor(seq / ROWS_PER_MARK);
    const mark = this.#marks.at(-1);
    if (mark?.block === block) {
      mark.earliest = Math.min(mark.earliest, time);
      mark.latest = Math.max(mark.latest, time);
    } else {
      this.#marks.push({ block, earliest: time, latest: time });
    }
  }

  write(): void {
    for (const { block, earliest, latest } of this.#marks) this.#save.run(block, earliest, latest);
    this.forget();
  }

  /** After a roll-back. */
  forget(): void {
    this.#marks = [];
  }
}

/**
 * The rows between which every row of a range of time lies; times at the edges still have to be compared. A row that was written while
 * the clock was far off widens only the ranges that its own time lies in.
 */
export function rowsBetween(db: Database): (since: number, until: number) => { first: number; last: number } {
  const edge = (order: 'ASC' | 'DESC') =>
    db
      .prepare<{ since: number; until: number; rows: number }, number>(`
        SELECT block FROM time_marks WHERE latest >= :since AND earliest <= :until AND (
          earliest >= :since OR latest <= :until OR EXISTS (
            SELECT 1 FROM main.journal
            WHERE seq BETWEEN block * :rows AND (block + 1) * :rows - 1 AND time BETWEEN :since AND :until))
        ORDER BY block ${order} LIMIT 1`)
      .pluck();
  const [first, last] = [edge('ASC'), edge('DESC')];
  return (since, until) => {
    const range = { since, until, rows: ROWS_PER_MARK };
    return {
      first: (first.get(range) ?? Number.MAX_SAFE_INTEGER / ROWS_PER_MARK) * ROWS_PER_MARK,
      last: ((last.get(range) ?? -1) + 1) * ROWS_PER_MARK - 1,
    };
  };
}

/**
 * The row that a moment (Unix milliseconds) comes right after: the last one, in the order of the journal, whose time is not later
 * than it. Where the clock was set back a moment came twice, and the second time is meant; what was written while the clock was
 * ahead came before. Null where the journal begins later.
 */
export function rowAtTime(db: Database): (moment: number) => number | null {
  const block = db
    .prepare<[number], number>('SELECT block FROM time_marks WHERE earliest <= ? ORDER BY block DESC LIMIT 1')
    .pluck();
  const row = db
    .prepare<[number, number, number], number>(
      'SELECT seq FROM main.journal WHERE seq BETWEEN ? AND ? AND time <= ? ORDER BY seq DESC LIMIT 1',
    )
    .pluck();
  return (moment) => {
    const found = block.get(moment);
    if (found === undefined) return null;
    return row.get(found * ROWS_PER_MARK, (found + 1) * ROWS_PER_MARK - 1, moment) ?? null;
  };
}
