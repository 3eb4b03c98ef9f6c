import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { BigNumber } from 'bignumber.js';
import { type Address, ZERO_ADDRESS } from '../protocol/address.ts';
import { pause } from '../time/pause.ts';
import type { MarketChain } from './chain/market-chain.ts';
import type { MakerConsumer } from './consumer/maker-consumer.ts';
import { openIntentService } from './intents/intent-service.ts';
import { practiceSolvers, type RelayerKeys } from './intents/prepare-intents.ts';
import { RELAYER_TIMING } from './intents/settle/relayer.ts';
import type { PracticeLog } from './practice-log.ts';
import type { Reference } from './reference/reference.ts';
import { NATIVE_TWIN, WRAPPED } from './router/prepare-router.ts';
import type { ListedToken, RouterChain } from './router/router-chain.ts';
import { openRouterService } from './router/router-service.ts';
import { openRateLimits, type RateLimits } from './service/rate-limits.ts';
import type { RouteHandler } from './service/route.ts';

/** Whoever sends it is not counted among the free tier. It opens nothing but this market. */
const HIGHER_TIER_KEY = 'practice-higher-tier';
/** Who swaps under this name pays no fee; everybody else is anonymous. */
const PARTNER = 'makerdesk';

/** What the service does for those who swap (PROTOCOL, part two). */
export interface MarketServices {
  routes: readonly RouteHandler[];
  limits: Pick<RateLimits, 'on'>;
  /** While it is on nothing arrives over the bridge between the chains. */
  bridgeDown: { on: boolean };
  close(): Promise<void>;
}

/**
 * Opens router and intents over the market's chains; orders that were open in the folder are carried on. Of the tokens it is
 * the wrapped native asset that intents take by a permit only (PROTOCOL 15.8): no pair of the practice desk needs it.
 */
export function openMarketServices(options: {
  folder: string;
  chains: readonly MarketChain[];
  relayers: RelayerKeys;
  reference: Reference;
  /** The maker on the chain of this index; null while the service does not consume them. */
  consumer: (index: number) => MakerConsumer | null;
  now: () => number;
  log: PracticeLog;
}): MarketServices {
  const { folder, chains, relayers, reference, consumer, now, log } = options;
  const owner = chains[0]?.bank.address ?? ZERO_ADDRESS;
  const limits = openRateLimits({ keys: [HIGHER_TIER_KEY], now });
  const bridgeDown = { on: false };
  const common = {
    partners: { [PARTNER]: { feeBps: 0, owner, mostFeeBps: 200, maySurplus: true } },
    treasury: owner,
    key: randomBytes(32).toString('hex'),
    limits,
    now,
    log,
  };
  const markets = chains.map((chain, index) => standingRouter(chain, reference, () => consumer(index)));
  const router = openRouterService({ ...common, chains: markets });
  const intents = openIntentService({
    ...common,
    file: join(folder, 'intents.db'),
    chains: markets.map((market, index) => {
      return {
        market,
        addresses: chains[index]?.intents ?? null,
        permitOnly: new Set([market.addresses.wrappedNative]),
      };
    }),
    relayer: {
      operatorKey: relayers.operator,
      solvers: practiceSolvers(relayers),
      bridgeDown,
      timing: RELAYER_TIMING,
      pause,
    },
  });
  intents.start();
  return {
    routes: [router.route, intents.route],
    limits,
    bridgeDown,
    async close() {
      await intents.close();
      router.close();
    },
  };
}

/** Tokens that are a dollar; the first of them that a chain has counts. */
const DOLLARS = ['USDC', 'USDT', 'DAI'];

/** A chain of the practice market as its router sees it: every token is worth what the reference says. */
function standingRouter(
  { seen, plan, contracts, router }: Pick<MarketChain, 'seen' | 'plan' | 'contracts' | 'router'>,
  reference: Pick<Reference, 'mid'>,
  consumer: () => MakerConsumer | null,
): RouterChain {
  const listed = Object.entries(plan.tokens).flatMap(([id, { symbol, name, decimals }]) => {
    const address = contracts.tokens[id];
    return address === undefined ? [] : [{ id, token: { symbol, name, address, decimals } }];
  });
  const wrapped: ListedToken = { ...WRAPPED, address: router.wrappedNative, decimals: 18 };
  const idOf = new Map<Address, string>(listed.map(({ id, token }) => [token.address, id]));
  idOf.set(wrapped.address, NATIVE_TWIN);
  const dollar = DOLLARS.find((id) => id in plan.tokens) ?? '';
  return {
    chain: seen,
    addresses: router,
    consumer,
    tokens: [...listed.map(({ token }) => token), wrapped],
    usdPrice(address) {
      const pairs = Object.entries(plan.pairs).map(([pairId, { base, quote }]) => {
        return { base, quote, mid: reference.mid(plan.chainId, pairId) };
      });
      return usdPrices(pairs, dollar).get(idOf.get(address) ?? '') ?? null;
    },
  };
}

/** A pair by token IDs, and what it is worth now: quote per base as a decimal string, null while nobody knows. */
interface PricedPair {
  base: string;
  quote: string;
  mid: string | null;
}

/** Digits kept of a price that was divided. */
const Decimal = BigNumber.clone({ DECIMAL_PLACES: 40 });

/** Dollars for one whole token by token ID, along the pairs from `dollar`, whose own price is 1; what it does not lead to is missing. */
export function usdPrices(pairs: readonly PricedPair[], dollar: string): Map<string, string> {
  const prices = new Map([[dollar, new Decimal(1)]]);
  for (const token of prices.keys()) {
    const price = prices.get(token) ?? new Decimal(0);
    for (const { base, quote, mid } of pairs) {
      if (mid === null || new Decimal(mid).isZero()) continue;
      if (quote === token && !prices.has(base)) prices.set(base, price.times(mid));
      if (base === token && !prices.has(quote)) prices.set(quote, price.dividedBy(mid));
    }
  }
  return new Map([...prices].map(([token, price]) => [token, price.toFixed()]));
}
