import type { Database } from 'better-sqlite3';
import type { EventBody } from '../events.ts';
import type { Projections } from '../projection.ts';
import { moveByFill, positionTable } from './positions.ts';

/**
 * What fills do to the positions. It comes after the tables of fills are written. A chain that is gone took every position on
 * it along, and what was not hedged by then never will be.
 */
export function projectPositions(db: Database): Pick<Projections, 'fill' | 'reverted' | 'chain_reset'> {
  const move = positionTable(db);
  const fillBody = db.prepare<[number], string>("SELECT body FROM journal WHERE seq = ? AND kind = 'fill'").pluck();
  const forget = db.prepare('DELETE FROM positions WHERE chain_id = ?');
  const abandon = db.prepare("UPDATE fills SET cover = 'taken_back' WHERE chain_id = ? AND cover <> 'hedged'");
  return {
    fill: ({ body }) => moveByFill(move, 1n, body),
    reverted: ({ body }) => {
      const text = fillBody.get(body.eventSeq);
      if (text !== undefined) moveByFill(move, -1n, JSON.parse(text) as EventBody<'fill'>);
    },
    chain_reset: ({ body }) => {
      forget.run(body.chainId);
      abandon.run(body.chainId);
    },
  };
}
