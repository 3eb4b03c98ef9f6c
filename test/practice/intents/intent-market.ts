import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { SWAP_POOL, TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import type { MakerConsumer } from '../../../electron/practice/consumer/maker-consumer.ts';
import { noFaults } from '../../../electron/practice/consumer/surface-client.ts';
import type { DeskChain, IntentDesk } from '../../../electron/practice/intents/intent-desk.ts';
import { openIntentService } from '../../../electron/practice/intents/intent-service.ts';
import { openIntentStore } from '../../../electron/practice/intents/intent-store.ts';
import { RELAYER_TIMING } from '../../../electron/practice/intents/settle/relayer.ts';
import type { Partners } from '../../../electron/practice/router/market-desk.ts';
import { deployRouter } from '../../../electron/practice/router/prepare-router.ts';
import type { RouterChain } from '../../../electron/practice/router/router-chain.ts';
import { openRouterService } from '../../../electron/practice/router/router-service.ts';
import { openRateLimits } from '../../../electron/practice/service/rate-limits.ts';
import type { RouteHandler } from '../../../electron/practice/service/route.ts';
import { openService } from '../../../electron/practice/service/service.ts';
import type { Address, Hex } from '../../../electron/protocol/address.ts';
import { compactSignature } from '../../../electron/protocol/compact-signature.ts';
import { NATIVE_TOKEN } from '../../../electron/protocol/route-token.ts';
import { type ToSign, typedDataHash } from '../../../electron/protocol/typed-data.ts';
import { ServiceConnection } from '../../../electron/service/service-connection.ts';
import { Turns } from '../../../electron/service/turns.ts';
import { pause } from '../../../electron/time/pause.ts';
import { keptChain } from '../../kept-chain.ts';
import { sleptClock } from '../../service/slept-clock.ts';
import { collectLog } from '../collected-log.ts';
import { type IntentFloor, OPERATOR_KEY, openIntentFloor, SOLVER_KEYS } from './settle/intent-floor.ts';

export const TREASURY: Address = `0x${'7e'.repeat(20)}`;
export const FEE_OWNER: Address = `0x${'fe'.repeat(20)}`;
export const FAR_CHAIN = 31338;
/** The maker of a grid quotes them nothing. */
export const BLACKLISTED: Address = `0x${'bb'.repeat(20)}`;
/** A chain of the market that has no intent contract. */
export const BARE_CHAIN = 31339;

/** `free` pays nothing and may ask for everything. */
const PARTNERS: Partners = {
  free: { feeBps: 0, owner: TREASURY, mostFeeBps: 200, maySurplus: true },
  tight: { feeBps: 0, owner: TREASURY, mostFeeBps: 0, maySurplus: false },
  dear: { feeBps: 50, owner: FEE_OWNER, mostFeeBps: 200, maySurplus: true },
};
const USD: Record<string, string> = { WETH: '3400', USDC: '1', DAI: '1', WNAT: '3400' };
const DECIMALS: Record<string, number> = { USDC: 6, USDT: 6 };
const FAST = { ...RELAYER_TIMING, auctionMs: 20, retryMs: 100, pollMs: 20 };

type Level = [price: string, amount: string];

export interface Answer {
  status: number;
  body: unknown;
}

/** The quote and intent side of the service over real pools and contracts, at a real address. */
export interface IntentMarket {
  floor: IntentFloor;
  /** The desk's client, its turns and kept answers out of the way. */
  client: ServiceConnection;
  url: string;
  limits: { on: boolean };
  /** Dollars by symbol; what is taken out has no price. */
  usd: Record<string, string>;
  /** Tokens of the near chain that take permits only. */
  permitOnly: Set<Address>;
  lines: string[];
  /** By symbol; those of the far chain with a dash behind: `WETH-`. */
  token(symbol: string): Address;
  decimals(symbol: string): number;
  shiftClock(ms: number): void;
  /** Holds the clock of the service, which is moved by shifts alone until what this gives is called. */
  stopClock(): () => void;
  /** Unix seconds. */
  now(): number;
  get(path: string, query?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  /** In 64 bytes; the owner's unless told. */
  sign(toSign: ToSign, key?: Hex): Promise<Hex>;
  /** In 65 bytes, as permits and contracts have it. */
  signLong(toSign: ToSign): Promise<Hex>;
  /** The orders as they are kept, looked at from outside. */
  store: ReturnType<typeof openIntentStore>;
  /** A maker's grid, for a market that has one: levels of WETH in USDC. */
  grid: { bids: Level[]; asks: Level[] } | null;
  /** What the auctions price with. */
  desk: Pick<IntentDesk, 'chains' | 'market'>;
  /** A client of the same service with other names, and without orders. */
  named(segment: 'delta'): Promise<ServiceConnection>;
  /** The relayer takes up what is open. */
  start(): void;
  /** Ends the service, and opens another one on the same file at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Nothing is kept back of a day that nobody counts: orders ask by the same connection, where a test can stand in their way. */
class OneConnection extends ServiceConnection {
  override forOrders(): ServiceConnection {
    return this;
  }
}

export async function openIntentMarket(): Promise<IntentMarket> {
  const floor = await openIntentFloor();
  const { owner } = floor;
  const [weth, usdc] = [floor.token('WETH'), floor.token('USDC')];
  const wrappedNative = floor.token('WNAT');
  const { dai, made, native } = await keptChain('intent-market', floor.control, async () => {
    const dai = await owner.deploy(TEST_TOKEN, ['Dai', 'DAI', 18]);
    const made = await deployRouter(owner, {
      rfqContract: TREASURY,
      native: { name: 'Wrapped native', symbol: 'WNAT' },
      pools: [
        { exchange: 'PoolSwap', tokens: [weth, usdc], amounts: [10n ** 21n, 3_400_000n * 10n ** 6n], feeBps: 30 },
        { exchange: 'PoolSwap', tokens: [dai, usdc], amounts: [10n ** 24n, 10n ** 12n], feeBps: 5 },
      ],
      giveEther: (address, value) => floor.control.setBalance({ address, value }),
    });
    const native = await owner.deploy(SWAP_POOL, [wrappedNative, weth, 5]);
    for (const token of [wrappedNative, weth]) {
      await floor.call(owner, TEST_TOKEN, token, 'mint', [native, 10n ** 21n]);
    }
    await floor.call(owner, SWAP_POOL, native, 'sync', []);
    return { dai, made, native };
  });
  const pools = [...made.pools, { exchange: 'PoolSwap', address: native, tokens: [wrappedNative, weth] as const }];
  const addresses = { ...made, wrappedNative, permit2: floor.permit2, pools } as RouterChain['addresses'];

  const symbols: Record<string, Address> = { WETH: weth, USDC: usdc, DAI: dai, WNAT: wrappedNative };
  const far: Record<string, Address> = { WETH: `0x${'f1'.repeat(20)}`, USDT: `0x${'f2'.repeat(20)}` };
  const decimals = (symbol: string) => DECIMALS[symbol.replace('-', '')] ?? 18;
  const usd = { ...USD };
  const listed = (tokens: Record<string, Address>) =>
    Object.entries(tokens).map(([symbol, address]) => {
      return { symbol, name: symbol, address, decimals: decimals(symbol) };
    });
  const seen = (chainId: number, tokens: Record<string, Address>): RouterChain => ({
    chain: {
      chainId,
      name: `Chain ${chainId}`,
      basePath: `/${chainId}`,
      domainName: 'TEST RFQ',
      rfqContract: TREASURY,
      takers: [],
      client: floor.chain.client,
    },
    addresses,
    tokens: listed(tokens),
    consumer: () => maker(),
    usdPrice: (address) => usd[Object.keys(tokens).find((symbol) => tokens[symbol] === address) ?? ''] ?? null,
  });
  const maker = () => {
    const cached = {
      tokens: Object.fromEntries(listed(symbols).map((token) => [token.symbol, token])),
      pairs: { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 1 } },
      prices: { 'WETH/USDC': intentMarket.grid },
      blacklist: new Set([BLACKLISTED]),
    };
    return intentMarket.grid && ({ cached: () => cached, isRestricted: () => null } as unknown as MakerConsumer);
  };
  const permitOnly = new Set<Address>();
  const chains: DeskChain[] = [
    { market: seen(31337, symbols), addresses: floor.addresses, permitOnly },
    { market: seen(FAR_CHAIN, far), addresses: floor.addresses, permitOnly: new Set() },
    { market: seen(BARE_CHAIN, symbols), addresses: null, permitOnly: new Set() },
  ];

  const folder = mkdtempSync(join(tmpdir(), 'intent-market-'));
  const file = join(folder, 'intents.db');
  let shift = 0;
  let stoppedAt: number | null = null;
  const now = () => (stoppedAt ?? Date.now()) + shift;
  const log = collectLog();
  const limits = openRateLimits({ keys: [], now });
  const common = { partners: PARTNERS, treasury: TREASURY, key: 'of the test', limits, now, log };
  const router = openRouterService({ ...common, chains: chains.map(({ market }) => market) });
  const solvers = Object.entries(SOLVER_KEYS).map(([name, key], index) => ({ name, key, spreadBps: 1 + index }));
  const open = (kept = file, segment: 'intent' | 'delta' = 'intent') =>
    openIntentService({
      ...common,
      segment,
      chains,
      file: kept,
      relayer: { operatorKey: OPERATOR_KEY, solvers, bridgeDown: { on: false }, timing: FAST, pause },
    });
  let service = open();
  let clock = 0;
  /** At an address of its own. */
  const serve = async (route: RouteHandler, intentSegment: string) => {
    const http = await openService({ port: 0, routes: [route, router.route], faults: noFaults(), log });
    // With a key nobody counts a day: what is asked here is no measure of one.
    const turns = new Turns(sleptClock(), () => true);
    const client = new OneConnection({
      serviceUrl: http.url,
      intentSegment,
      turns,
      // What it keeps of an answer is too old as soon as it asks again.
      now: () => (clock += 3_600_000),
    });
    return { http, client };
  };
  const { http, client } = await serve((request) => service.route(request), 'intent');
  const others: (() => Promise<void>)[] = [];
  const store = openIntentStore({ file, now });

  async function ask(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(`${http.url}${path}`, init);
    return { status: response.status, body: await response.json() };
  }

  const intentMarket: IntentMarket = {
    grid: null,
    desk: { chains, market: { ...common, chains: chains.map((chain) => chain.market) } },
    floor,
    client,
    url: http.url,
    limits,
    usd,
    permitOnly,
    lines: log.lines,
    decimals,
    store,
    token(symbol) {
      if (symbol === 'ETH') return NATIVE_TOKEN;
      const found = symbol.endsWith('-') ? far[symbol.slice(0, -1)] : symbols[symbol];
      expect(found, symbol).toBeDefined();
      return found ?? '0x';
    },
    shiftClock(ms) {
      shift += ms;
    },
    stopClock() {
      stoppedAt = Date.now();
      return () => {
        stoppedAt = null;
      };
    },
    now: () => Math.floor(now() / 1000),
    get: (path, query = {}) => ask(`${path}?${new URLSearchParams(query)}`, {}),
    post: (path, body) => ask(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
    async sign(toSign, key = owner.key) {
      return compactSignature(await privateKeyToAccount(key).sign({ hash: typedDataHash(toSign) }));
    },
    signLong: (toSign) => privateKeyToAccount(owner.key).sign({ hash: typedDataHash(toSign) }),
    async named(segment) {
      const other = open(join(folder, `${segment}.db`), segment);
      const served = await serve(other.route, segment);
      others.push(served.http.close, other.close);
      return served.client;
    },
    start: () => service.start(),
    async restart() {
      await service.close();
      service = open();
    },
    async close() {
      for (const close of [http.close, ...others]) await close();
      await service.close();
      store.close();
      router.close();
      await floor.close();
      rmSync(folder, { recursive: true });
    },
  };
  return intentMarket;
}
