import type { Database } from 'better-sqlite3';
import { type PublishedRow, publicationOf } from './read.ts';

type Publication = ReturnType<typeof publicationOf>;

/** Bodies kept: neighbouring moments of a chart mostly lie in the same revision. */
const MOST_KEPT = 500;

/** What was published as a row of the journal. A row never changes, so what was read of it is kept. */
export function publishedLadders(db: Database): (seq: number) => Publication {
  const row = db.prepare<[number], PublishedRow>('SELECT time, actor, kind, body FROM journal WHERE seq = ?');
  const kept = new Map<number, Publication>();
  return (seq) => {
    const known = kept.get(seq);
    if (known !== undefined) return known;
    const publication = publicationOf(row.get(seq));
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(seq, publication);
    return publication;
  };
}
