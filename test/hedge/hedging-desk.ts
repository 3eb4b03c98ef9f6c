import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import { deskFileSchema } from '../../electron/contract/desk-file.ts';
import type { HedgeQuote, HedgeState } from '../../electron/contract/hedge.ts';
import type { HedgeStep } from '../../electron/contract/hedge-steps.ts';
import type { HedgeWish } from '../../electron/contract/hedge-terms.ts';
import { openRooms, type Rooms } from '../../electron/desk/rooms.ts';
import type { FleetWriter } from '../../electron/fleet/fleet-writer.ts';
import type { HedgeParts } from '../../electron/hedge/hedge-parts.ts';
import { type Hedging, openHedging } from '../../electron/hedge/hedging.ts';
import type { HedgeRecord } from '../../electron/journal/hedges/fold.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { openSigner } from '../../electron/signer/signer.ts';
import { addressOf } from '../journal/sample-events.ts';
import type { IntentMarket } from '../practice/intents/intent-market.ts';

const CHAIN = 31337;
const quiet = { info() {}, warn() {}, error() {} };

/** A reference that is only told, and good for an hour. */
export const TOLD_REFERENCE = { referenceUrl: 'http://127.0.0.1:1/reference', referenceMaxAgeSeconds: 3_600 };

/** What the market must have for a desk to hedge there. */
type Market = Pick<IntentMarket, 'floor' | 'client' | 'url' | 'token' | 'desk'>;

/** Where nobody listens: what is done elsewhere needs neither a chain nor a service. */
export const NOBODYS_MARKET = {
  floor: {
    rpcUrl: 'http://127.0.0.1:1',
    owner: { key: `0x${'7'.repeat(64)}` },
    addresses: { intents: addressOf('intents') },
    permit2: addressOf('permit2'),
  },
  url: 'http://127.0.0.1:1',
  token: addressOf,
  desk: { chains: [] },
} as unknown as IntentMarket;

/** Hedging on real rooms and a real folder, without surface or console. */
export interface HedgingDesk {
  rooms: Rooms;
  hedging: Hedging;
  maker: Address;
  folder: string;
  /** A fill of WETH/USDC as the chain would tell it: on the bids the desk buys base, by `token` where WETH is listed so by then. Gives its row. */
  filled(side: 'bids' | 'asks', base: bigint, quote: bigint, token?: Address): Promise<number>;
  /** A wish to sell one WETH for USDC on the market, with changes. */
  wish(changes?: { ask?: Partial<HedgeWish['ask']> } & Partial<Omit<HedgeWish, 'ask'>>): HedgeWish;
  place(wish: HedgeWish, confirmed?: boolean): Promise<number>;
  record(seq: number): Promise<HedgeRecord>;
  steps(seq: number): Promise<HedgeStep['step'][]>;
  /** The hedge once it is in this state. */
  reached(seq: number, state: HedgeState): Promise<HedgeRecord>;
  /** The reference says this of WETH/USDC now. */
  refers(mid: string): void;
  /** What the venues offer, by their names. */
  offers(ask: HedgeWish['ask']): Promise<Record<'market' | 'intents', HedgeQuote['quotes'][number]>>;
  /** What the pool trades at, without its fee. */
  poolMid(): Promise<number>;
  net(symbol: 'WETH' | 'USDC'): Promise<bigint>;
  /** Ends it; with `again` the same folder is opened by another desk. */
  close(): Promise<void>;
}

export function hedgeFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-hedge-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A desk file of one chain with the tokens of the market. */
export function hedgeDeskFile(
  market: Pick<Market, 'floor' | 'url' | 'token' | 'desk'>,
  maker: Address,
  chain: object = {},
) {
  const token = (symbol: string, decimals: number) => {
    return { symbol, name: symbol, address: market.token(symbol), decimals, type: 'ERC20' };
  };
  return deskFileSchema.parse({
    version: 1,
    chains: [
      {
        chainId: CHAIN,
        name: 'Test',
        basePath: '/31337',
        rpcUrl: market.floor.rpcUrl,
        domainName: 'TEST RFQ',
        rfqContract: `0x${'4f'.repeat(20)}`,
        maker,
        signer: maker,
        serviceUrl: market.url,
        router: market.desk.chains[0]?.market.addresses.router,
        intentContract: market.floor.addresses.intents,
        permit2: market.floor.permit2,
        tokens: { WETH: token('WETH', 18), USDC: token('USDC', 6), DAI: token('DAI', 18) },
        pairs: { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 1 } },
        prices: { 'WETH/USDC': { bids: [['3390', '1']], asks: [['3410', '1']] } },
        ...chain,
      },
    ],
  });
}

export async function openHedgingDesk(
  market: Market,
  options: {
    folder: string;
    parts?: Partial<HedgeParts>;
    now?: () => number;
    maker?: Address;
    /** More of the chain in the desk file. */
    chain?: object;
    /** What the chain looks like; unless given it is of this moment, and the maker has plenty. */
    view?: () => ChainView;
    /** Where it is one of a fleet. It then starts halted. */
    fleet?: FleetWriter;
  },
): Promise<HedgingDesk> {
  const { folder, now = Date.now, fleet } = options;
  const signer = openSigner(market.floor.owner.key);
  const maker = options.maker ?? signer.address;
  const rich = { balance: 10n ** 40n, allowance: 2n ** 255n };
  const plenty = (): ChainView => ({
    block: { number: 1_000_000, hash: `0x${'1'.repeat(64)}`, timestamp: Math.floor(now() / 1_000) },
    seenAt: now(),
    balances: new Map(['WETH', 'USDC', 'DAI'].map((symbol) => [market.token(symbol), rich])),
    unreadable: [],
    fault: null,
  });
  const rooms = await openRooms({
    folder,
    log: quiet,
    now,
    monotonic: () => performance.now(),
    views: () => (options.view ?? plenty)(),
    passphrase: async () => 'none',
    replica: fleet,
  });
  const { book, guard, journal, accounts } = rooms;
  fleet?.tellAlone((why) => guard.trading.alone(why));
  if (book.chains().length === 0) {
    await book.importDesk(hedgeDeskFile(market, maker, options.chain), { actor: 'test', keepSecrets: () => ({}) });
  }
  guard.trading.checksPassed();
  if (fleet === undefined && guard.trading.stateOf({}) === 'HALTED' && journal.head().seq < 3) {
    await guard.trading.resume({}, { actor: 'test', reason: 'a test begins' });
  }
  const parts: HedgeParts = {
    book,
    guard,
    journal,
    accounts,
    now,
    log: quiet,
    signerFor: (address) => (address === signer.address ? signer : null),
    service: () => market.client,
    ...options.parts,
  };
  const hedging = await openHedging(parts, { pollMs: 50, lookMs: 50, watchMs: 50 });
  let fills = 0;
  const record = async (seq: number) => {
    const found = await journal.read.hedge(seq);
    if (found === null) throw new Error(`row ${seq} opened no hedge`);
    return found;
  };
  const desk: HedgingDesk = {
    rooms,
    hedging,
    maker,
    folder,
    record,
    async filled(side, base, quote, weth = market.token('WETH')) {
      fills += 1;
      const block = fills;
      const name = (what: string): `0x${string}` => `0x${what.repeat(30)}${`${block}`.padStart(4, '0')}`;
      const usdc = market.token('USDC');
      const assets = side === 'asks' ? { makerAsset: weth, takerAsset: usdc } : { makerAsset: usdc, takerAsset: weth };
      const [makerAmount, takerAmount] = side === 'asks' ? [`${base}`, `${quote}`] : [`${quote}`, `${base}`];
      const common = { chainId: CHAIN, ...assets, makerAmount, takerAmount, orderHash: name('0a') };
      await journal.append({
        time: now(),
        actor: 'desk',
        kind: 'quote',
        body: {
          ...common,
          pair: 'WETH/USDC',
          side,
          given: 'makerAmount',
          maker,
          nonceAndMeta: `${block}`,
          userAddress: maker,
          takerAddress: maker,
          expiry: 1,
          signature: '0x00',
          code: null,
          ladderRevision: 1,
          balance: null,
          allowance: null,
          exposure: null,
          counterparty: null,
          receivedAt: now(),
          latencyMs: 1,
          requestBody: '{}',
        },
      });
      return journal.append({
        time: now(),
        actor: 'chain',
        kind: 'fill',
        body: {
          ...common,
          taker: maker,
          block,
          blockHash: name('0b'),
          blockTime: now(),
          transactionHash: name('0c'),
          logIndex: 0,
        },
      });
    },
    wish({ ask, ...changes } = {}) {
      return {
        ask: {
          chainId: CHAIN,
          srcToken: market.token('WETH'),
          destToken: market.token('USDC'),
          side: 'SELL',
          amount: '1',
          slippageBps: 100,
          ...ask,
        },
        way: { mode: 'market' },
        deadlineSeconds: 600,
        approval: 'approve',
        fillSeqs: [],
        ...changes,
      };
    },
    place: async (wish, confirmed = false) => (await hedging.engine.place(wish, { actor: 'trader', confirmed })).seq,
    steps: async (seq) => (await journal.read.hedgeSteps(seq)).map(({ step }) => step.step),
    async reached(seq, state) {
      const hedge = await vi.waitFor(
        async () => {
          const now = await record(seq);
          if (now.state !== state) throw new Error(`it is ${now.state}, not ${state}: ${now.note}`);
          return now;
        },
        { interval: 30 },
      );
      // The journal has a step a moment before the desk that wrote it goes on from there.
      const { log } = hedging.engine;
      while (log.isRunning(seq) && log.running(seq).state !== state && (await record(seq)).state === state)
        await sleep(10);
      return hedge;
    },
    refers: (mid) => book.references.record(CHAIN, new Map([['WETH/USDC', { mid, time: now(), heldBack: null }]])),
    async offers(ask) {
      const { quotes } = await hedging.engine.quote(ask);
      const [market, intents] = ['market', 'intents'].map((name) => quotes.find(({ venue }) => venue === name));
      if (market === undefined || intents === undefined) throw new Error('a venue is missing');
      return { market, intents };
    },
    async poolMid() {
      const { ask } = desk.wish({ ask: { amount: '0.001' } });
      const { market: way } = await desk.offers(ask);
      return Number(way.quote?.price) / 0.997;
    },
    async net(symbol) {
      const rows = await journal.read.positions(null, now());
      return BigInt(rows.find(({ token }) => token.symbol === symbol)?.net ?? 0);
    },
    async close() {
      await hedging.stop();
      await rooms.close();
    },
  };
  return desk;
}
