import type { Address } from '../../protocol/address.ts';
import { intentNames } from '../../protocol/intent-wire.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { Partners } from '../router/market-desk.ts';
import type { RateLimits } from '../service/rate-limits.ts';
import type { RouteHandler } from '../service/route.ts';
import type { DeskChain, IntentDesk } from './intent-desk.ts';
import { intentRoute } from './intent-routes.ts';
import { openIntentStore } from './intent-store.ts';
import type { RelayerOptions } from './settle/relay.ts';
import { openRelayer } from './settle/relayer.ts';
import { auctionPrice } from './solver-price.ts';

export interface IntentServiceOptions {
  chains: readonly DeskChain[];
  /** Keeps the orders. */
  file: string;
  /** What the product is called in paths, as mode and as block. */
  segment?: 'intent' | 'delta';
  /** As the router service has them: names that are registered, and who earns the fee of the anonymous. */
  partners: Partners;
  treasury: Address;
  /** The router service's, so that a quote's market route can be built there. */
  key: string;
  /** Counts each request. */
  limits: Pick<RateLimits, 'admits'>;
  /** Who fills the orders, and when. */
  relayer: Pick<RelayerOptions, 'operatorKey' | 'solvers' | 'bridgeDown' | 'timing' | 'pause'>;
  /** Unix milliseconds. */
  now: () => number;
  log: PracticeLog;
}

export interface IntentService {
  /** Answers the operations of PROTOCOL 14.3 and 14.4; null for any other path. Never rejects. */
  route: RouteHandler;
  /** Orders that are open are carried on from now. */
  start(): void;
  close(): Promise<void>;
}

/**
 * The quote and intent side of the service. Orders of an intent contract that is not there any more are forgotten.
 * @throws DeskError `intents_file`
 */
export function openIntentService(options: IntentServiceOptions): IntentService {
  const { chains, file, segment = 'intent', partners, treasury, key, limits, now, log } = options;
  const store = openIntentStore({ file, now });
  for (const { market, addresses } of chains) {
    const { chainId } = market.chain;
    if (addresses === null || !store.begin(chainId, addresses.intents)) continue;
    log.warn(`intents: the orders of chain ${chainId} were of another contract and are forgotten`);
  }
  const market = { chains: chains.map((chain) => chain.market), partners, treasury, key, now };
  const desk: IntentDesk = { chains, market, store, names: intentNames(segment) };
  const relayer = openRelayer({
    ...options.relayer,
    chains: chains.flatMap(({ market: { chain }, addresses }) => (addresses === null ? [] : [{ chain, addresses }])),
    price: (ask) => auctionPrice(desk, ask),
    store,
    now,
    log,
  });
  const route = intentRoute(desk, { limits, log });
  return {
    async route(request) {
      const answer = await route(request);
      // It may have come, or be cancelled.
      if (request.method === 'POST' && answer?.status === 200) relayer.wake();
      return answer;
    },
    start: () => relayer.start(),
    async close() {
      await relayer.stop();
      store.close();
    },
  };
}
