import type { Database } from 'better-sqlite3';
import type { Address, Hex } from '../../protocol/address.ts';
import type { Backing } from './read-covers.ts';

/** A fill or a cancel, and where on the chain it stands. */
export interface OrderEvent {
  block: number;
  logIndex: number;
  orderHash: Hex;
  maker: Address;
  kind: 'fill' | 'cancel';
  /** What this fill took of the maker asset, in raw units; zero for a cancel. */
  makerAmount: bigint;
  transactionHash: Hex;
}

export interface KnownBlock {
  number: number;
  hash: Hex;
}

/** More than a reorganisation may take back (64); what goes deeper is read again from the first block. */
const REMEMBERED_BLOCKS = 128;

export type ChainRows = ReturnType<typeof openChainRows>;

/** What is written and read of `chains`, `blocks`, `events` and `covers`. */
export function openChainRows(db: Database) {
  const blocks = db.prepare<[number], KnownBlock>('SELECT number, hash FROM blocks WHERE chain_id = ? ORDER BY number');
  const putBlock = db.prepare('INSERT OR REPLACE INTO blocks (chain_id, number, hash) VALUES (?, ?, ?)');
  const dropOldBlocks = db.prepare('DELETE FROM blocks WHERE chain_id = ? AND number < ?');
  const dropBlocksAbove = db.prepare('DELETE FROM blocks WHERE chain_id = ? AND number > ?');
  const dropEventsAbove = db
    .prepare<[number, number], Hex>('DELETE FROM events WHERE chain_id = ? AND block > ? RETURNING order_hash')
    .pluck();
  const putEvent = db.prepare('INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const eventsOf = db.prepare<
    [hash: string, maker: string],
    { kind: 'fill' | 'cancel'; maker_amount: string; transaction_hash: Hex }
  >(
    `SELECT kind, maker_amount, transaction_hash FROM events WHERE order_hash = ? AND maker = ? ORDER BY block, log_index`,
  );
  const cover = db
    .prepare<[number, string, string], string>(
      'SELECT amount FROM covers WHERE chain_id = ? AND maker = ? AND token = ?',
    )
    .pluck();
  const putCover = db.prepare('INSERT OR REPLACE INTO covers VALUES (?, ?, ?, ?)');
  const seconds = db.prepare<[number], number>('SELECT seconds FROM chains WHERE chain_id = ?').pluck();
  const putSeconds = db.prepare('UPDATE chains SET seconds = ? WHERE chain_id = ?');
  return {
    /** Ascending; the last one is the newest block whose events are here. */
    blocks: (chainId: number) => blocks.all(chainId),
    putBlocks(chainId: number, added: readonly KnownBlock[]) {
      for (const { number, hash } of added) putBlock.run(chainId, number, hash);
      dropOldBlocks.run(chainId, (added.at(-1)?.number ?? 0) - REMEMBERED_BLOCKS);
    },
    /** Takes back what stands above a block; gives the orders it was about. */
    dropAbove(chainId: number, number: number): Hex[] {
      dropBlocksAbove.run(chainId, number);
      return dropEventsAbove.all(chainId, number);
    },
    putEvent(chainId: number, event: OrderEvent) {
      const { block, logIndex, orderHash, maker, kind, makerAmount, transactionHash } = event;
      putEvent.run(chainId, block, logIndex, orderHash, maker, kind, `${makerAmount}`, transactionHash);
    },
    /** In the order of the chain. Only the maker's own cancel counts: anybody can emit one of the hash as himself. */
    eventsOf: (orderHash: Hex, maker: Address) => eventsOf.all(orderHash, maker),
    /** Zero while nothing was read of it. */
    cover: (chainId: number, { maker, token }: Backing) => BigInt(cover.get(chainId, maker, token) ?? 0),
    putCover: (chainId: number, { maker, token }: Backing, amount: bigint) =>
      putCover.run(chainId, maker, token, `${amount}`),
    /** Time of the newest block read, in Unix seconds. */
    seconds: (chainId: number) => seconds.get(chainId) ?? 0,
    putSeconds: (chainId: number, value: number) => putSeconds.run(value, chainId),
  };
}
