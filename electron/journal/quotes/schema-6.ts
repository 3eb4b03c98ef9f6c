import type { Database } from 'better-sqlite3';

/** The outcome of a quote `q`, as `outcomeOf` in the contract tells it; word for word what the index below holds. */
export function outcomeColumn(q: '' | 'q.'): string {
  return `CASE WHEN ${q}state IN ('live', 'part_filled') THEN 'open'
    WHEN ${q}filled_maker_amount IS NOT NULL THEN 'filled' ELSE ${q}state END`;
}

/** Quotes are looked for by their outcome: "filled" is what was filled, also where its last part never was. */
export function quotesByOutcome(db: Database): void {
  db.exec(`
    DROP INDEX quotes_ended;
    CREATE INDEX quotes_by_outcome ON quotes (${outcomeColumn('')});`);
}
