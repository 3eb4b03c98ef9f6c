import type { Hex } from '../protocol/address.ts';
import type { OrderState } from '../protocol/order-record.ts';
import type { MarketChain } from './chain/market-chain.ts';
import type { ConsumerIntervals } from './consumer/consumer-intervals.ts';
import type { OnOrder } from './consumer/firm-quotes.ts';
import type { ConsumerMode, ConsumerStatus, MakerConsumer } from './consumer/maker-consumer.ts';
import { openConsumer } from './consumer/open-consumer.ts';
import type { ConsumerFaults, Credentials } from './consumer/surface-client.ts';
import type { PracticeLog } from './practice-log.ts';
import type { Reference } from './reference/reference.ts';
import { startRounds } from './rounds.ts';
import type { Habit } from './takers/habits.ts';
import { startTakers } from './takers/takers.ts';
import type { TakersStatus } from './takers/tally.ts';

const RESTOCK_EVERY_MS = 10_000;

/** The service at work on one chain: it consumes the maker's surface, and its users swap. */
export interface Trading {
  /** The maker as the service knows them. */
  consumer: MakerConsumer;
  service(): ConsumerStatus;
  takers(): TakersStatus;
  setSpeed(asksPerSecond: number): void;
  /** Resolves when nothing of it is on its way any more. */
  stop(): Promise<void>;
}

/** Starts to consume a maker's surface on one chain, lets the users trade through it, and keeps everybody stocked. */
export function startTrading(options: {
  chain: MarketChain;
  /** The roots of the maker's surfaces, without the chain's base path; asked in turn. */
  surfaceUrls: readonly string[];
  counterparty: Credentials;
  mode: ConsumerMode;
  intervals: Partial<ConsumerIntervals>;
  faults: ConsumerFaults;
  onOrder: OnOrder;
  orderState: (orderHash: Hex) => OrderState | null;
  reference: Reference;
  accounts: Readonly<Record<Habit, Hex>>;
  seed: number;
  asksPerSecond: number;
  now: () => number;
  log: PracticeLog;
}): Trading {
  const { chain, mode, intervals, faults, onOrder, orderState, reference, accounts, seed, asksPerSecond, now, log } =
    options;
  const { contracts, seen } = chain;
  const surface = { surfaceUrls: options.surfaceUrls, counterparty: options.counterparty };
  const consumer = openConsumer({ chain: seen, surface, mode, intervals, faults, onOrder, now, log });
  const takers = startTakers({
    chain: seen,
    consumer,
    accounts,
    executor: contracts.executor,
    tokens: contracts.tokens,
    referenceMid: (pairId) => reference.mid(seen.chainId, pairId),
    orderState,
    seed,
    asksPerSecond,
    log: { info: (line) => log.info(`${seen.name}, ${line}`), warn: (line) => log.warn(`${seen.name}, ${line}`) },
  });
  const stock = startRounds({
    everyMs: RESTOCK_EVERY_MS,
    node: chain.node,
    round: () => chain.restock(consumer.cached()),
    tell: (fault) => log.warn(`${seen.name}: inventory was not looked after: ${fault}`),
  });
  return {
    consumer,
    service: consumer.status,
    takers: takers.status,
    setSpeed: takers.setSpeed,
    async stop() {
      const stocked = stock.stop();
      await takers.stop();
      await Promise.all([consumer.close(), stocked]);
    },
  };
}
