import type { Database } from 'better-sqlite3';
import { followTable } from './project-follow.ts';
import { clearReturningLadder } from './project-ladders.ts';
import { type Projections, refuseRow } from './projection.ts';

type ListingKind =
  | 'token_saved'
  | 'token_removed'
  | 'pair_saved'
  | 'pair_retired'
  | 'pair_removed'
  | 'limits_set'
  | 'takers_set'
  | 'contract_pinned';

/** Tokens, pairs, limits and takers of a configured chain. */
export function projectListings(db: Database): Pick<Projections, ListingKind> {
  const chain = db.prepare<[number], number>('SELECT 1 FROM chains WHERE chain_id = ?').pluck();
  const saveToken = db.prepare(`
    INSERT INTO tokens (chain_id, token_id, token) VALUES (?, ?, ?)
    ON CONFLICT (chain_id, token_id) DO UPDATE SET token = excluded.token`);
  const removeToken = db.prepare('DELETE FROM tokens WHERE chain_id = ? AND token_id = ?');
  const updatePair = db.prepare('UPDATE pairs SET definition = ? WHERE chain_id = ? AND pair = ?');
  const insertPair = db.prepare('INSERT INTO pairs (definition, chain_id, pair) VALUES (?, ?, ?)');
  const retirePair = db.prepare('UPDATE pairs SET retired_until = ? WHERE chain_id = ? AND pair = ?');
  const removePair = db.prepare('DELETE FROM pairs WHERE chain_id = ? AND pair = ?');
  const setLimits = db.prepare('UPDATE chains SET limits = ? WHERE chain_id = ?');
  const setTakers = db.prepare('UPDATE chains SET takers = ? WHERE chain_id = ?');
  const setLeftOut = db.prepare(
    "UPDATE chains SET config = json_set(config, '$.takersLeftOut', json(?)) WHERE chain_id = ?",
  );
  const setConfig = db.prepare('UPDATE chains SET config = json_set(config, ?, ?) WHERE chain_id = ?');
  const clearLadder = clearReturningLadder(db);
  const follow = followTable(db);

  const configured = (chainId: number) => {
    if (chain.get(chainId) === undefined) refuseRow(`Chain ${chainId} is not configured.`);
  };

  return {
    token_saved: ({ body }) => {
      configured(body.chainId);
      saveToken.run(body.chainId, body.tokenId, JSON.stringify(body.token));
    },
    token_removed: ({ body }) => {
      removeToken.run(body.chainId, body.tokenId);
    },
    // Saving does not lift a retirement: that would light a pair by accident.
    pair_saved: ({ seq, body }) => {
      configured(body.chainId);
      const definition = JSON.stringify(body.definition);
      if (updatePair.run(definition, body.chainId, body.pair).changes > 0) return;
      insertPair.run(definition, body.chainId, body.pair);
      clearLadder(body.chainId, body.pair, seq);
    },
    pair_retired: ({ body }) => {
      if (retirePair.run(body.until, body.chainId, body.pair).changes === 0) refuseRow(`${body.pair} is not listed.`);
      follow(body.chainId, body.pair, false);
    },
    pair_removed: ({ body }) => {
      removePair.run(body.chainId, body.pair);
    },
    limits_set: ({ body }) => {
      configured(body.chainId);
      setLimits.run(JSON.stringify(body.limits), body.chainId);
    },
    takers_set: ({ body }) => {
      configured(body.chainId);
      setTakers.run(JSON.stringify(body.takers), body.chainId);
      if (body.leftOut !== undefined) setLeftOut.run(JSON.stringify(body.leftOut), body.chainId);
    },
    contract_pinned: ({ body }) => {
      configured(body.chainId);
      setConfig.run(body.mode === 'market' ? '$.router' : '$.intentContract', body.address, body.chainId);
    },
  };
}
