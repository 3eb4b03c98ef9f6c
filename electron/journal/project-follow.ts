import type { Database } from 'better-sqlite3';
import type { Projections } from './projection.ts';

/** Writes down whether a pair follows the reference: in the settings of its chain, where an import puts it too. */
export function followTable(db: Database): (chainId: number, pair: string, on: boolean) => void {
  const select = db
    .prepare<[number], string>('SELECT config FROM chains WHERE chain_id = ? AND json_valid(config)')
    .pluck();
  const save = db.prepare('UPDATE chains SET config = ? WHERE chain_id = ?');
  return (chainId, pair, on) => {
    const text = select.get(chainId);
    if (text === undefined) return; // a chain whose settings went bad is set apart whole
    const config: { follow?: string[] } = JSON.parse(text);
    const before = config.follow ?? [];
    if (before.includes(pair) === on) return;
    const follow = on ? [...before, pair] : before.filter((other) => other !== pair);
    save.run(JSON.stringify({ ...config, follow }), chainId);
  };
}

export function projectFollow(db: Database): Pick<Projections, 'follow_set'> {
  const follow = followTable(db);
  return { follow_set: ({ body }) => follow(body.chainId, body.pair, body.on) };
}
