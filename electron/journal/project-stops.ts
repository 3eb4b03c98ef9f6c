import type { Database } from 'better-sqlite3';
import type { Scope } from '../contract/trading.ts';
import type { EventBody } from './events.ts';

type Place = [chainId: number, pair: string, side: string];
type Row<K extends 'trading_state' | 'stop_explained' | 'desk_configured'> = { seq: number; body: EventBody<K> };
type Open = { id: number; chainId: number; pair: string; side: string };

/** When each scope was stopped, and when it was started again. A scope that is stopped has one open stop. */
export function projectStops(db: Database) {
  const find = db
    .prepare<Place, number>('SELECT id FROM stops WHERE chain_id = ? AND pair = ? AND side = ? AND ended_seq IS NULL')
    .pluck();
  const begin = db.prepare('INSERT INTO stops (seq, chain_id, pair, side) VALUES (?, ?, ?, ?)');
  const end = db.prepare('UPDATE stops SET ended_seq = ? WHERE id = ?');
  const say = db.prepare('INSERT INTO stop_words (stop_id, seq) VALUES (?, ?)');
  const openOfChains = db.prepare<[], Open>(
    'SELECT id, chain_id AS chainId, pair, side FROM stops WHERE ended_seq IS NULL AND chain_id <> 0',
  );

  return {
    trading_state: ({ seq, body: { scope, state } }: Row<'trading_state'>) => {
      const open = find.get(...placeOf(scope));
      if (state === 'LIVE') {
        if (open !== undefined) end.run(seq, open);
      } else if (open === undefined) begin.run(seq, ...placeOf(scope));
      else say.run(open, seq);
    },
    stop_explained: ({ seq, body: { scope } }: Row<'stop_explained'>) => {
      const open = find.get(...placeOf(scope));
      if (open !== undefined) say.run(open, seq);
    },
    /** An import replaces the switches of pairs and sides; the states of chains that stay are kept. */
    desk_configured: ({ seq, body: { desk } }: Row<'desk_configured'>) => {
      const off = new Map(desk.chains.flatMap(switchedOff).map((place) => [keyOf(...place), place]));
      const chains = new Set(desk.chains.map(({ chainId }) => chainId));
      for (const { id, chainId, pair, side } of openOfChains.all()) {
        const stays = pair === '' ? chains.has(chainId) : off.delete(keyOf(chainId, pair, side));
        if (!stays) end.run(seq, id);
      }
      for (const place of off.values()) begin.run(seq, ...place);
    },
  };
}

function placeOf({ chainId, pair, side }: Scope): Place {
  return [chainId ?? 0, pair ?? '', side ?? ''];
}

function switchedOff({ chainId, off }: EventBody<'desk_configured'>['desk']['chains'][number]): Place[] {
  return Object.entries(off).flatMap(([pair, sides]) => {
    const scopes = new Set(sides).size === 2 ? [''] : sides;
    return scopes.map((side): Place => [chainId, pair, side]);
  });
}

function keyOf(...place: Place): string {
  return place.join(' ');
}
