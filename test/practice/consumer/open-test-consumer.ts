import type { PublicClient } from 'viem';
import { afterEach, expect, vi } from 'vitest';
import type { ConsumerIntervals } from '../../../electron/practice/consumer/consumer-intervals.ts';
import { type ConsumerOptions, openConsumer } from '../../../electron/practice/consumer/open-consumer.ts';
import { type ConsumerFaults, noFaults } from '../../../electron/practice/consumer/surface-client.ts';
import type { PracticeChain } from '../../../electron/practice/practice-chain.ts';
import type { Address } from '../../../electron/protocol/address.ts';
import type { SignedOrder } from '../../../electron/protocol/wire.ts';
import { collectLog } from '../collected-log.ts';
import { CREDENTIALS } from './stub-maker.ts';

/** The real ones: what is waited for again and again in a hurry, and what a busy machine may take its time for with patience. */
const QUICK: ConsumerIntervals = {
  pricesEvery: 20,
  restEvery: 40,
  patience: 60_000,
  firmPatience: 60_000,
  staleAfter: 1_000,
  blacklistFor: 600,
  failuresBeforeRest: 1_000_000,
  rest: 600,
  restrictFor: 900,
  restrictAfterSilenceFor: 300,
  reconnectFirst: 20,
  reconnectLast: 100,
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((consumer) => consumer.close()));
});

/** A chain without a node, for what asks the maker nothing but its grid. */
export function chainWithoutNode(): PracticeChain {
  const nobody: Address = `0x${'99'.repeat(20)}`;
  return {
    chainId: 31337,
    name: 'Test',
    basePath: '/31337',
    domainName: 'TEST RFQ',
    rfqContract: nobody,
    takers: [],
    client: {} as PublicClient,
  };
}

/** A clock that stands still until a test moves it: what is too old is so by it. */
export function stillClock() {
  const begun = Date.now();
  const clock = { ahead: 0, now: () => begun + clock.ahead };
  return clock;
}

/** A consumer of the surface at `surfaceUrl`, or of several in turn, quick unless told otherwise, on a clock that stands still; it closes with the test. */
export function consumerOf(
  surfaceUrl: string | readonly string[],
  options: Partial<Omit<ConsumerOptions, 'intervals'>> & { intervals?: Partial<ConsumerIntervals> } = {},
) {
  const log = collectLog();
  const faults: ConsumerFaults = options.faults ?? noFaults();
  const orders: SignedOrder[] = [];
  const clock = stillClock();
  const consumer = openConsumer({
    chain: chainWithoutNode(),
    surface: { surfaceUrls: [surfaceUrl].flat(), counterparty: CREDENTIALS },
    mode: 'strict',
    onOrder: (order) => orders.push(order),
    now: clock.now,
    log,
    ...options,
    faults,
    intervals: { ...QUICK, ...options.intervals },
  });
  open.push(consumer);
  return {
    consumer,
    faults,
    orders,
    log,
    clock,
    complaints: () => consumer.status().complaints.last.map(({ sentence }) => sentence),
    logged: (pattern: RegExp) => log.lines.filter((line) => pattern.test(line)),
    until: (check: () => void) => vi.waitFor(check, { interval: 10 }),
    untilEnabled: () => vi.waitFor(() => expect(consumer.cached()).not.toBeNull(), { interval: 5 }),
    untilDisabled: () => vi.waitFor(() => expect(consumer.status().enabled).toBe(false), { interval: 5 }),
  };
}
