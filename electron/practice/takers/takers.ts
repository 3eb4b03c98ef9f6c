import type { Address, Hex } from '../../protocol/address.ts';
import type { OrderState } from '../../protocol/order-record.ts';
import { openWallet, type Wallet } from '../chain/wallet.ts';
import type { MakerConsumer } from '../consumer/maker-consumer.ts';
import type { PracticeChain } from '../practice-chain.ts';
import type { PracticeLog } from '../practice-log.ts';
import { seededRandom } from '../seeded-random.ts';
import { watchBlocks } from './block-watch.ts';
import { askedFor, carryOut, type Market } from './carry-out.ts';
import { HABITS, type Habit, type HabitWish, wishes } from './habits.ts';
import { marketView } from './market-view.ts';
import { startPacer } from './pacer.ts';
import { openTally, type TakersStatus } from './tally.ts';
import { openTradeLog } from './trade-log.ts';

/** One ask every two and a half seconds over all users. */
export const DEFAULT_ASKS_PER_SECOND = 0.4;

/**
 * More firm quotes than that are not waited for at once: on a machine that cannot keep up they would all come after the
 * service's patience, and cost the maker every pair. A turn that comes then is let go too.
 */
const MOST_WAITED_FOR = 24;

/** More wishes than that are not under way at once; a turn that comes then is let go. */
const MOST_UNDER_WAY = 1_000;

/** So often another user has their turn when one is on the blacklist. */
const MOST_PASSED_ON = 20;

export interface TakersOptions {
  chain: PracticeChain;
  consumer: MakerConsumer;
  /** The users' keys. Each account has ether, tokens, and has approved the execution contract. */
  accounts: Readonly<Record<Habit, Hex>>;
  /** The execution contract through which they fill. */
  executor: Address;
  /** The tokens they hold, by ID; pairs of others are passed over. */
  tokens: Readonly<Record<string, Address>>;
  /** What a pair is worth elsewhere, quote per base, as a decimal string; null while nobody knows. */
  referenceMid: (pairId: string) => string | null;
  /** What the service says of an order now; null when it does not keep it. */
  orderState: (orderHash: Hex) => OrderState | null;
  /** What they wish for follows from it and from the grid. */
  seed: number;
  asksPerSecond: number;
  log: PracticeLog;
}

export interface Takers {
  /** From a crawl (1/60) to hundreds a second; 0 lets nobody ask. Takes effect at once. */
  setSpeed(asksPerSecond: number): void;
  status(): TakersStatus;
  /** Resolves when nothing of them is on its way any more. */
  stop(): Promise<void>;
}

/**
 * Starts the users of one chain. They outlive a surface, a service and a node that go away, and say so once. A firm
 * quote is not waited for before the next is asked for, and neither is a block.
 */
export function startTakers(options: TakersOptions): Takers {
  const { chain, consumer, executor, referenceMid, orderState, log } = options;
  const { client, chainId } = chain;
  const held = new Set(Object.values(options.tokens));
  const ending = new AbortController();
  const { signal } = ending;
  const now = () => performance.now();
  const wallets = Object.fromEntries(
    HABITS.map((habit) => [habit, openWallet({ client, chainId, privateKey: options.accounts[habit] })]),
  ) as Record<Habit, Wallet>;
  const tally = openTally((habit) => wallets[habit].address);
  const blocks = watchBlocks({
    client,
    signal,
    now,
    onNewChain: () => {
      for (const wallet of Object.values(wallets)) wallet.forgetNonce();
    },
  });
  const nextWish = wishes(seededRandom(options.seed));
  const underWay = new Set<Promise<void>>();
  const pacer = startPacer({ perSecond: options.asksPerSecond, now, turn });
  const trades = openTradeLog({ log, counts: tally.counts, perSecond: pacer.perSecond });
  let waitedFor = 0;
  const counted: Pick<MakerConsumer, 'firm'> = {
    async firm(ask, ending) {
      waitedFor += 1;
      try {
        return await consumer.firm(ask, ending);
      } finally {
        waitedFor -= 1;
      }
    },
  };
  const market: Market = { consumer: counted, client, executor, wallets, blocks, orderState, tally, signal };

  function turn(): void {
    const wish = wishNow();
    trades.waits(typeof wish === 'string' ? wish : null);
    if (typeof wish === 'string' || wish === null) return;
    const told = trades.tellsEach();
    const done = carryOut(wish, market, told).then((ended) => {
      underWay.delete(done);
      if (!signal.aborted) trades.ended(wish, ended, told);
    });
    underWay.add(done);
  }

  /** A wish, or why nobody asks, or null when this turn is let go. */
  function wishNow(): HabitWish | string | null {
    const fault = blocks.fault();
    if (fault !== null) return `the node does not answer: ${fault}`;
    if (underWay.size >= MOST_UNDER_WAY || waitedFor >= MOST_WAITED_FOR) return null;
    const cached = consumer.cached();
    if (cached === null) return 'there are no fresh prices';
    const isRestricted = (pairId: string) => consumer.isRestricted(pairId) !== null;
    const view = marketView({ cached, held, isRestricted, referenceMid });
    if (view.pairs.length === 0) return 'no pair can be traded';
    for (let passed = 0; passed < MOST_PASSED_ON; passed += 1) {
      const wish = nextWish(view);
      if (wish === null || !cached.blacklist.has(askedFor(wish, wallets))) return wish;
    }
    return 'the users are on the blacklist';
  }

  return {
    setSpeed: pacer.setSpeed,
    status: () => {
      const { perSecond } = pacer;
      return {
        chainId,
        name: chain.name,
        asksPerSecond: perSecond(),
        habits: tally.counts(),
        underWay: underWay.size,
        waits: perSecond() === 0 ? null : trades.waitsFor(),
      };
    },
    async stop() {
      pacer.stop();
      ending.abort();
      await Promise.all([blocks.ended, ...underWay]);
      trades.close();
    },
  };
}
