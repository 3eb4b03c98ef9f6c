import type { Hex } from '../../protocol/address.ts';
import { domainSeparator } from '../../protocol/order-hash.ts';
import type { OrderRecord, OrderState } from '../../protocol/order-record.ts';
import type { SignedOrder } from '../../protocol/wire.ts';
import type { PracticeChain } from '../practice-chain.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { RouteHandler } from '../service/route.ts';
import { acceptOrder, type FollowedChain, type OrderDesk } from './accept-order.ts';
import { followChain } from './chain-follower.ts';
import { parseOrder } from './order-input.ts';
import { openOrderLedger } from './order-ledger.ts';
import { orderRoute } from './order-routes.ts';
import { openOrdersFile } from './orders-file.ts';

export interface OrderServiceOptions {
  /** The SQLite file, made when it is missing. */
  file: string;
  chains: readonly PracticeChain[];
  /** Unix milliseconds. */
  now: () => number;
  log: PracticeLog;
  /** How often each node is asked for its newest block, in milliseconds; 500 unless told. */
  pollEveryMs?: number;
}

export interface OrderService {
  /**
   * Keeps a firm order that the service received, as if it had been posted (PROTOCOL 2.5, 4.2). Storing it again changes
   * nothing and gives the same record.
   * @throws WireRefused `UnsupportedChain`, `InvalidInput`, `InvalidSignature`
   */
  store(chainId: number, order: SignedOrder): Promise<OrderRecord>;
  /** The state of an order by now, as far as the chain has been followed; null when it is not kept. */
  state(chainId: number, orderHash: Hex): OrderState | null;
  /** Answers the paths under `/ft/`; null when the path is none of them. Never throws. */
  route: RouteHandler;
  /** Resolves when what each chain did until now is in the records; waits while a node is away. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the order service on its file and begins to follow its chains. It answers at once, with what it knew when it was
 * closed; `caughtUp` tells when that is of now.
 * @throws DeskError `orders_file`
 */
export function openOrderService(options: OrderServiceOptions): OrderService {
  const { now, log, pollEveryMs = 500 } = options;
  const db = openOrdersFile(options.file);
  const ledger = openOrderLedger(db, now);
  const chains = new Map<number, FollowedChain>();
  for (const chain of options.chains) {
    const separator = domainSeparator(chain);
    if (ledger.begin(chain.chainId, separator)) log.warn(`orders: ${chain.name} has another settlement contract now`);
    const follower = followChain({ chain, ledger, pollEveryMs, log });
    chains.set(chain.chainId, { ...chain, separator, follower });
  }
  const desk: OrderDesk = { db, ledger, chains, nowSeconds: () => Math.floor(now() / 1000) };
  return {
    store: async (chainId, order) => acceptOrder(desk, chainId, parseOrder(order), 'received'),
    state: (chainId, hash) => {
      ledger.expire(chainId);
      return ledger.orders.byHash.get(hash)?.state ?? null;
    },
    route: orderRoute(desk, log),
    async caughtUp() {
      await Promise.all([...chains.values()].map(({ follower }) => follower.caughtUp()));
    },
    async close() {
      for (const { follower } of chains.values()) follower.close();
      db.close();
    },
  };
}
