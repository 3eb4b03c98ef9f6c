import type { Database } from 'better-sqlite3';
import type { Ladder } from '../contract/desk-file.ts';
import { followTable } from './project-follow.ts';
import { type Projections, refuseRow } from './projection.ts';

/**
 * Revisions of ladders. The table says which row of the journal published each one; the ladder itself stays in the
 * body of that row. The current ladder of a listed pair is its highest revision.
 */
export function projectLadders(db: Database): Pick<Projections, 'ladder_published'> {
  const insert = insertRevision(db);
  const highest = highestRevision(db);
  const follow = followTable(db);
  return {
    ladder_published: ({ seq, body }) => {
      const latest = highest(body.chainId, body.pair);
      if (body.revision <= latest) {
        refuseRow(`Revision ${body.revision} of ${body.pair} does not follow revision ${latest}.`);
      }
      insert(body.chainId, body.pair, body.revision, seq);
      if (body.followed === undefined) follow(body.chainId, body.pair, false);
    },
  };
}

/**
 * An import publishes the ladder it holds as the next revision. A pair without prices gets an empty ladder, unless it
 * never had one.
 */
export function publishImportedLadder(
  db: Database,
): (chainId: number, pair: string, ladder: Ladder | undefined, seq: number) => void {
  const insert = insertRevision(db);
  const highest = highestRevision(db);
  return (chainId, pair, ladder, seq) => {
    const latest = highest(chainId, pair);
    if (ladder !== undefined || latest > 0) insert(chainId, pair, latest + 1, seq);
  };
}

/** A pair that was removed and is listed again does not come back with its old prices: it gets an empty ladder. */
export function clearReturningLadder(db: Database): (chainId: number, pair: string, seq: number) => void {
  const publish = publishImportedLadder(db);
  return (chainId, pair, seq) => publish(chainId, pair, undefined, seq);
}

function insertRevision(db: Database): (chainId: number, pair: string, revision: number, seq: number) => void {
  const insert = db.prepare('INSERT INTO ladder_revisions (chain_id, pair, revision, seq) VALUES (?, ?, ?, ?)');
  return (chainId, pair, revision, seq) => {
    insert.run(chainId, pair, revision, seq);
  };
}

function highestRevision(db: Database): (chainId: number, pair: string) => number {
  const highest = db
    .prepare<[number, string], number | null>(
      'SELECT max(revision) FROM ladder_revisions WHERE chain_id = ? AND pair = ?',
    )
    .pluck();
  return (chainId, pair) => highest.get(chainId, pair) ?? 0;
}
