import type { Database } from 'better-sqlite3';
import type { Hex } from '../../protocol/address.ts';
import { type OrderInput, takerFromMeta, typeOf } from './order-input.ts';
import {
  type ChainRows,
  digitsOf,
  type KnownBlock,
  type OrderEvent,
  type OrderRow,
  type OrderRows,
  openChainRows,
  openOrderRows,
} from './orders-file.ts';
import type { Backing } from './read-covers.ts';
import { stateOf } from './share-balance.ts';

export interface Cover extends Backing {
  /** The lesser of balance and allowance, in raw units. */
  amount: bigint;
}

/** What was read of a chain in one step along its branch. */
export interface ChainStep {
  /** The newest block that both the file and the branch have; -1 when there is none. */
  ancestor: number;
  /** Ascending; the last one is where the step ends. */
  blocks: readonly KnownBlock[];
  /** Time of the last block, in Unix seconds. */
  seconds: number;
  events: readonly OrderEvent[];
}

export interface OrderLedger {
  orders: OrderRows;
  chain: ChainRows;
  /** Keeps what is stored for a chain when it is still of this contract, else begins without orders; true when it had to. */
  begin(chainId: number, separator: Hex): boolean;
  /** Takes a step in, and restates every order that it is about. */
  take(chainId: number, step: ChainStep): void;
  /** Notes what balances cover, and suspends or reopens the orders on them. */
  cover(chainId: number, covers: readonly Cover[]): void;
  /** Adds an order, or gives the one that is there. */
  add(chainId: number, orderHash: Hex, order: OrderInput): OrderRow;
  /** Ends what has expired by now; due before anything is read. */
  expire(chainId: number): void;
}

/** The orders and what became of them. Every change is one transaction; `now` is Unix milliseconds. */
export function openOrderLedger(db: Database, now: () => number): OrderLedger {
  const orders = openOrderRows(db);
  const chain = openChainRows(db);
  const nowSeconds = () => Math.floor(now() / 1000);
  /** Blocks may be ahead of our clock, and a chain may stand still. */
  const secondsOf = (chainId: number) => Math.max(nowSeconds(), chain.seconds(chainId));

  function standingOf(
    row: Pick<
      OrderRow,
      'chain_id' | 'order_hash' | 'maker' | 'maker_asset' | 'maker_amount' | 'taker_amount' | 'expiry'
    >,
  ) {
    const events = chain.eventsOf(row.order_hash, row.maker);
    const makerAmount = BigInt(row.maker_amount);
    const taken = events.reduce((sum, { maker_amount }) => sum + BigInt(maker_amount), 0n);
    const fillable = taken < makerAmount ? makerAmount - taken : 0n;
    const isCancelled = events.some(({ kind }) => kind === 'cancel');
    const facts = { makerAmount, takerAmount: BigInt(row.taker_amount), fillable, isCancelled, expiry: row.expiry };
    const cover = chain.cover(row.chain_id, { maker: row.maker, token: row.maker_asset });
    const state = stateOf(facts, cover, secondsOf(row.chain_id));
    return { state, fillable: digitsOf(fillable), transaction_hash: events.at(-1)?.transaction_hash ?? null };
  }

  function restate(orderHash: Hex): void {
    const row = orders.byHash.get(orderHash);
    if (row === undefined) return;
    const { state, fillable, transaction_hash } = standingOf(row);
    if (state === row.state && fillable === row.fillable && transaction_hash === row.transaction_hash) return;
    orders.restate.run({ seq: row.seq, state, fillable, transaction_hash, updated_at: nowSeconds() });
  }

  return {
    orders,
    chain,
    begin: db.transaction((chainId: number, separator: Hex) => {
      const known = db.prepare('SELECT separator FROM chains WHERE chain_id = ?').pluck().get(chainId);
      if (known === separator) return false;
      for (const table of ['chains', 'blocks', 'events', 'covers', 'orders']) {
        db.prepare(`DELETE FROM ${table} WHERE chain_id = ?`).run(chainId);
      }
      db.prepare('INSERT INTO chains VALUES (?, ?, 0)').run(chainId, separator);
      return known !== undefined;
    }),
    take: db.transaction((chainId: number, { ancestor, blocks, seconds, events }: ChainStep) => {
      const touched = new Set(chain.dropAbove(chainId, ancestor));
      for (const event of events) {
        chain.putEvent(chainId, event);
        touched.add(event.orderHash);
      }
      chain.putBlocks(chainId, blocks);
      // A branch may be behind the one it takes the place of, in time too.
      const wentBack = seconds < chain.seconds(chainId);
      chain.putSeconds(chainId, seconds);
      if (wentBack) for (const hash of orders.expiredSince.all(chainId, secondsOf(chainId))) touched.add(hash);
      for (const hash of touched) restate(hash);
    }),
    cover: db.transaction((chainId: number, covers: readonly Cover[]) => {
      for (const { maker, token, amount } of covers) {
        chain.putCover(chainId, { maker, token }, amount);
        orders.suspend.run({ chain_id: chainId, maker, token, cover: digitsOf(amount), updated_at: nowSeconds() });
      }
    }),
    add: db.transaction((chainId: number, orderHash: Hex, order: OrderInput) => {
      const known = orders.byHash.get(orderHash);
      if (known !== undefined) return known;
      const fields = {
        chain_id: chainId,
        order_hash: orderHash,
        nonce_and_meta: order.nonceAndMeta,
        expiry: order.expiry,
        maker_asset: order.makerAsset,
        taker_asset: order.takerAsset,
        maker: order.maker,
        taker: order.taker,
        maker_amount: order.makerAmount,
        taker_amount: order.takerAmount,
        signature: order.signature,
        taker_from_meta: takerFromMeta(order),
        type: typeOf(order),
        created_at: nowSeconds(),
        updated_at: nowSeconds(),
      };
      const row = { ...fields, ...standingOf(fields) };
      const { lastInsertRowid } = orders.insert.run(row);
      return { seq: Number(lastInsertRowid), ...row };
    }),
    expire: (chainId) => {
      orders.expire.run({ chain_id: chainId, seconds: secondsOf(chainId), updated_at: nowSeconds() });
    },
  };
}
