import type { Database } from 'better-sqlite3';

/** Rows beside quotes, of which there are very many: by kind, and within a kind in the order of the journal. */
export const BESIDE_QUOTES = {
  kinds: ['quote'],
  index: 'journal_beside_quotes',
  condition: "kind <> 'quote'",
} as const;

/** The index that the pages of the journal are read by; a quote costs nothing in it. */
export function eventsBesideQuotes(db: Database): void {
  const { index, condition } = BESIDE_QUOTES;
  db.exec(`CREATE INDEX ${index} ON journal (kind, seq, actor) WHERE ${condition}`);
}
