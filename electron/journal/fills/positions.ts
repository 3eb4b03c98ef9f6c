import type { Database } from 'better-sqlite3';
import type { Address } from '../../protocol/address.ts';
import type { EventBody } from '../events.ts';

/** Adds to what fills and hedges moved of a token, raw units with sign. */
export type MovePosition = (chainId: number, token: Address, by: { filled?: bigint; hedged?: bigint }) => void;

export function positionTable(db: Database): MovePosition {
  const select = db.prepare<[number, string], { filled: string; hedged: string }>(
    'SELECT filled, hedged FROM positions WHERE chain_id = ? AND token = ?',
  );
  const save = db.prepare('INSERT OR REPLACE INTO positions (chain_id, token, filled, hedged) VALUES (?, ?, ?, ?)');
  return (chainId, token, { filled = 0n, hedged = 0n }) => {
    const before = select.get(chainId, token) ?? { filled: '0', hedged: '0' };
    save.run(chainId, token, `${BigInt(before.filled) + filled}`, `${BigInt(before.hedged) + hedged}`);
  };
}

/**
 * A fill gave the maker asset and brought the taker asset; `way` is -1n when it is taken back. Positions are of ERC-20 tokens:
 * of an NFT order only what it moved of those counts.
 */
export function moveByFill(move: MovePosition, way: 1n | -1n, fill: EventBody<'fill'>): void {
  if (fill.takerNft === undefined) move(fill.chainId, fill.takerAsset, { filled: way * BigInt(fill.takerAmount) });
  if (fill.makerNft === undefined) move(fill.chainId, fill.makerAsset, { filled: -way * BigInt(fill.makerAmount) });
}
