import type { Database } from 'better-sqlite3';
import type { ProjectedEvent, Projections } from './projection.ts';

const SAVE = `
  INSERT OR REPLACE INTO trading_states (chain_id, pair, side, state, reason, actor, since, until, cause)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The last word on every scope. */
export function projectTrading(db: Database): Pick<Projections, 'trading_state' | 'stop_explained'> {
  const save = db.prepare(SAVE);
  // A stop that something else has followed keeps the words it had.
  const explain = db.prepare(`
    UPDATE trading_states SET reason = ? WHERE chain_id = ? AND pair = ? AND side = ? AND since = ? AND state <> 'LIVE'`);
  return {
    stop_explained: ({ body: { scope, stoppedAt, reason } }) => {
      explain.run(reason, scope.chainId ?? 0, scope.pair ?? '', scope.side ?? '', stoppedAt);
    },
    trading_state: ({ time, actor, body: { scope, state, reason, until, cause } }) => {
      save.run(scope.chainId ?? 0, scope.pair ?? '', scope.side ?? '', state, reason, actor, time, until, cause);
    },
  };
}

/**
 * The switches of pairs and sides are part of the configuration, so an import replaces them; the states of the desk
 * and of chains that stay are not, and are kept.
 */
export function switchOffAsImported(db: Database): (event: ProjectedEvent<'desk_configured'>) => void {
  const clear = db.prepare(`
    DELETE FROM trading_states
    WHERE chain_id <> 0 AND (pair <> '' OR chain_id NOT IN (SELECT chain_id FROM chains))`);
  const save = db.prepare(SAVE);
  return ({ time, actor, body }) => {
    clear.run();
    for (const { chainId, off } of body.desk.chains) {
      for (const [pair, sides] of Object.entries(off)) {
        const scopes = new Set(sides).size === 2 ? [''] : sides;
        for (const side of scopes) save.run(chainId, pair, side, 'HALTED', null, actor, time, null, null);
      }
    }
  };
}
