import type { Database } from 'better-sqlite3';
import type { Hex } from '../../protocol/address.ts';
import { fromWireOrder, orderHash } from '../../protocol/order-hash.ts';
import type { OrderRecord } from '../../protocol/order-record.ts';
import type { PracticeChain } from '../practice-chain.ts';
import { WireRefused } from '../wire-refused.ts';
import type { ChainFollower } from './chain-follower.ts';
import { signatureBinds } from './maker-signature.ts';
import type { OrderInput } from './order-input.ts';
import type { OrderLedger } from './order-ledger.ts';
import { recordsOf } from './order-records.ts';
import type { OrderRow } from './orders-file.ts';

/** A chain whose orders are kept: its EIP-712 domain, and what follows it. */
export interface FollowedChain extends PracticeChain {
  separator: Hex;
  follower: ChainFollower;
}

/** What the endpoints work on. */
export interface OrderDesk {
  db: Database;
  ledger: OrderLedger;
  chains: ReadonlyMap<number, FollowedChain>;
  nowSeconds: () => number;
}

/** @throws WireRefused `UnsupportedChain` */
export function chainOf(desk: OrderDesk, chainId: number): FollowedChain {
  const chain = desk.chains.get(chainId);
  if (chain !== undefined) return chain;
  throw new WireRefused('UnsupportedChain', `Orders of chain ${chainId} are not kept here.`, { status: 400 });
}

/**
 * Checks an order and keeps it; one that is kept already stays as it is. A `posted` order must not have expired; one
 * `received` as a firm quote is kept whenever it comes in. What it exceeds balance or allowance by only suspends it.
 * @throws WireRefused `UnsupportedChain`, `InvalidInput`, `InvalidSignature`; `ServiceUnavailable` when the maker is a contract
 * and the node is away
 */
export async function acceptOrder(
  desk: OrderDesk,
  chainId: number,
  order: OrderInput,
  by: 'posted' | 'received',
): Promise<OrderRecord> {
  const chain = chainOf(desk, chainId);
  const { maker, makerAsset, signature, expiry } = order;
  const hash = orderHash(chain.separator, fromWireOrder(order));
  const known = desk.ledger.orders.byHash.get(hash);
  if (known?.signature !== signature && !(await binds(chain, { maker, hash, signature }))) {
    throw new WireRefused('InvalidSignature', `The signature is not the maker's, for an order of chain ${chainId}.`);
  }
  if (known === undefined && by === 'posted' && expiry !== 0 && expiry < desk.nowSeconds()) {
    throw new WireRefused('InvalidInput', 'The order is not valid: it has expired.');
  }
  if (by === 'posted') await chain.follower.freshen();
  // While the node is away an order stands on what was last read of its balance, or on nothing.
  await chain.follower.refresh([{ maker, token: makerAsset }]).catch(() => {});
  return recordNow(desk, desk.ledger.add(chainId, hash, order));
}

/** @throws WireRefused `NotFound` */
export async function readOrder(desk: OrderDesk, orderHash: Hex): Promise<OrderRecord> {
  const row = desk.ledger.orders.byHash.get(orderHash);
  if (row === undefined) throw new WireRefused('NotFound', 'There is no order with this hash.');
  await desk.chains.get(row.chain_id)?.follower.freshen();
  await refreshBehind(desk, [row]);
  return recordNow(desk, row);
}

/** Balances behind orders that are open are read at every block; behind others, when somebody asks. */
export async function refreshBehind(
  desk: OrderDesk,
  rows: readonly Pick<OrderRow, 'chain_id' | 'maker' | 'maker_asset'>[],
) {
  const behind = new Map(rows.map((row) => [`${row.chain_id} ${row.maker} ${row.maker_asset}`, row]));
  await Promise.all(
    [...desk.chains.values()].map(({ chainId, follower }) => {
      const here = [...behind.values()].filter(({ chain_id }) => chain_id === chainId);
      return follower.refresh(here.map(({ maker, maker_asset: token }) => ({ maker, token }))).catch(() => {});
    }),
  );
}

function recordNow({ ledger }: OrderDesk, { chain_id, order_hash }: OrderRow): OrderRecord {
  ledger.expire(chain_id);
  const row = ledger.orders.byHash.get(order_hash);
  const [record] = row === undefined ? [] : recordsOf(ledger, [row]);
  if (record !== undefined) return record;
  throw new WireRefused('NotFound', 'There is no order with this hash.');
}

async function binds(chain: FollowedChain, signed: Parameters<typeof signatureBinds>[1]): Promise<boolean> {
  try {
    return await signatureBinds(chain.client, signed);
  } catch (cause) {
    throw new WireRefused('ServiceUnavailable', 'The chain of this order does not answer now.', { cause });
  }
}
