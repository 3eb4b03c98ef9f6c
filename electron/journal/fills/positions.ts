import type { Database } from 'better-sqlite3';
import type { Address } from '../../protocol/address.ts';
import type { QUOTE_EVENTS } from '../quotes/events.ts';
import type { ProjectionsOf } from '../slice.ts';
import { ABANDONED_COVER } from './cover.ts';
import type { FILL_EVENTS, FillBody } from './events.ts';

/** What fills and hedges moved of a token, raw units with sign. */
export interface StoredPosition {
  readonly filled: bigint;
  readonly hedged: bigint;
}

/** Something that moves the position in a token of a chain. */
export type Move = { readonly chainId: number; readonly token: Address } & Partial<StoredPosition>;

const NOTHING: StoredPosition = { filled: 0n, hedged: 0n };

/** A position after a move. */
export function foldPosition(before: StoredPosition | undefined, { filled = 0n, hedged = 0n }: Move): StoredPosition {
  const was = before ?? NOTHING;
  return { filled: was.filled + filled, hedged: was.hedged + hedged };
}

/**
 * A fill gave the maker asset and brought the taker asset; `way` is -1n when it is taken back. Positions are of ERC-20 tokens:
 * of an NFT order only what it moved of those counts.
 */
export function movesOfFill(way: 1n | -1n, fill: FillBody): Move[] {
  const { chainId, makerAsset, takerAsset, makerAmount, takerAmount, makerNft, takerNft } = fill;
  const got: Move[] = takerNft ? [] : [{ chainId, token: takerAsset, filled: way * BigInt(takerAmount) }];
  const gave: Move[] = makerNft ? [] : [{ chainId, token: makerAsset, filled: -way * BigInt(makerAmount) }];
  return [...got, ...gave];
}

export function moveByFill(move: (moves: readonly Move[]) => void, way: 1n | -1n, fill: FillBody): void {
  move(movesOfFill(way, fill));
}

/** Brings moves into the table. */
export function positionTable(db: Database): (moves: readonly Move[]) => void {
  const select = db.prepare<[number, string], Record<keyof StoredPosition, string>>(
    'SELECT filled, hedged FROM positions WHERE chain_id = ? AND token = ?',
  );
  const save = db.prepare('INSERT OR REPLACE INTO positions (chain_id, token, filled, hedged) VALUES (?, ?, ?, ?)');
  return (moves) => {
    for (const move of moves) {
      const row = select.get(move.chainId, move.token);
      const before = row && { filled: BigInt(row.filled), hedged: BigInt(row.hedged) };
      const { filled, hedged } = foldPosition(before, move);
      save.run(move.chainId, move.token, `${filled}`, `${hedged}`);
    }
  };
}

/**
 * What fills do to the positions. It comes after the tables of fills are written. A chain that is gone took every position on
 * it along, and what was not hedged by then never will be.
 */
export function projectPositions(
  db: Database,
): Pick<ProjectionsOf<typeof FILL_EVENTS & typeof QUOTE_EVENTS>, 'fill' | 'reverted' | 'chain_reset'> {
  const move = positionTable(db);
  const fillBody = db.prepare<[number], string>("SELECT body FROM journal WHERE seq = ? AND kind = 'fill'").pluck();
  const forget = db.prepare('DELETE FROM positions WHERE chain_id = ?');
  const abandon = db.prepare(
    `UPDATE fills SET cover = ${ABANDONED_COVER} WHERE chain_id = ? AND cover <> ${ABANDONED_COVER}`,
  );
  return {
    fill: ({ body }) => moveByFill(move, 1n, body),
    reverted: ({ body }) => {
      const text = fillBody.get(body.eventSeq);
      if (text !== undefined) moveByFill(move, -1n, JSON.parse(text));
    },
    chain_reset: ({ body }) => {
      forget.run(body.chainId);
      abandon.run(body.chainId);
    },
  };
}

/** What a fill moved of the pair's base and quote, raw units, + is what the desk got. On the bids the maker buys base. */
export function fillBase(
  side: string | null,
  fill: FillBody,
): { chainId: number; asset: Address; quoteAsset: Address; base: bigint; quote: bigint } {
  const { chainId, makerAsset, takerAsset } = fill;
  const [gave, got] = [BigInt(fill.makerAmount), BigInt(fill.takerAmount)];
  if (side === 'bids') return { chainId, asset: takerAsset, quoteAsset: makerAsset, base: got, quote: -gave };
  return { chainId, asset: makerAsset, quoteAsset: takerAsset, base: -gave, quote: got };
}
