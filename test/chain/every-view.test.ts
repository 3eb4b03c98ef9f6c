import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import type { OrderEvent } from '../../electron/chain/order-ledger.ts';
import { RFQ_ABI } from '../../electron/chain/rfq-abi.ts';
import { type ChainOrder, startTestChain, type TestChain } from '../chain-fixture.ts';
import { howOften } from '../how-often.ts';
import { driveMarket, type MarketDriver, ONE, PRICE } from './market-driver.ts';
import { type NodeProxy, openNodeProxy } from './node-proxy.ts';
import { testJournal, type Watched, watch } from './watched-chain.ts';

type Step =
  | { do: 'fill'; order: number; percent: number }
  | { do: 'cancel'; order: number; byStranger: boolean }
  | { do: 'mine'; blocks: number }
  | { do: 'reorganise'; depth: number; length: number }
  | { do: 'restart' }
  | { do: 'wait' };

const ORDERS = 4;
/** Several reorganisations at once may look like one: together they stay within what is followed. */
const DEEPEST = 60;
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('fill' as const),
        order: fc.nat(ORDERS - 1),
        percent: fc.integer({ min: 1, max: 60 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('cancel' as const), order: fc.nat(ORDERS - 1), byStranger: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 12 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('reorganise' as const),
        depth: fc.integer({ min: 1, max: 20 }),
        length: fc.integer({ min: 0, max: 25 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
  ),
  { minLength: 10, maxLength: 40 },
);

let chain: TestChain;
let market: MarketDriver;
let proxy: NodeProxy;
beforeAll(async () => {
  chain = await startTestChain();
  proxy = await openNodeProxy(() => chain.rpcUrl);
  market = await driveMarket(chain, proxy.between);
});
afterAll(async () => {
  await proxy?.down();
  await chain?.close();
});

/** What the maker should hold of WETH after the events told so far. */
class Books {
  readonly #given = new Map<number, bigint>();
  readonly faults: string[] = [];
  #start: bigint | null = null;

  take(event: OrderEvent): void {
    if (event.kind === 'fill') this.#given.set(event.seq, BigInt(event.body.makerAmount));
    if (event.kind === 'reverted') this.#given.delete(event.body.eventSeq);
  }

  compare(balance: bigint | undefined, block: number): void {
    if (balance === undefined) return;
    let given = 0n;
    for (const amount of this.#given.values()) given += amount;
    this.#start ??= balance;
    const expected = this.#start - given;
    if (balance !== expected) this.faults.push(`block ${block}: holds ${balance}, told of ${expected}`);
  }
}

function watchBooks(watcher: Watched, books: Books): void {
  const compare = ({ block, balances }: ChainView) => {
    if (block !== null) books.compare(balances.get(chain.weth)?.balance, block.number);
  };
  watcher.onView(compare);
  watcher.onOrderEvent((event) => {
    books.take(event);
    // Whoever acts on the news in the next moment finds a view that has it.
    queueMicrotask(() => compare(watcher.view()));
  });
}

/** Every fill and cancel of the maker from block `since` on, as the node has them. */
async function onChain(since: number): Promise<string[]> {
  const logs = await chain.client.getContractEvents({
    abi: RFQ_ABI,
    address: chain.rfqContract,
    fromBlock: BigInt(since),
    strict: true,
  });
  return logs
    .filter(({ args }) => args.maker.toLowerCase() === chain.accounts.maker.address)
    .map(({ eventName, args, blockHash, transactionHash, logIndex }) => {
      const amounts = eventName === 'OrderFilled' ? `${args.makerAmount} for ${args.takerAmount}` : 'cancelled';
      return `${args.orderHash} ${amounts} in ${blockHash}/${transactionHash}/${logIndex}`;
    });
}

/** What stands after these events, in the same words. */
function inJournal(events: readonly OrderEvent[]): string[] {
  const reverted = new Set(events.flatMap((event) => (event.kind === 'reverted' ? [event.body.eventSeq] : [])));
  return events.flatMap((event) => {
    if (event.kind === 'reverted' || reverted.has(event.seq)) return [];
    const { orderHash, blockHash, transactionHash, logIndex } = event.body;
    const amounts = event.kind === 'fill' ? `${event.body.makerAmount} for ${event.body.takerAmount}` : 'cancelled';
    return [`${orderHash} ${amounts} in ${blockHash}/${transactionHash}/${logIndex}`];
  });
}

/** Does a step; no reorganisation goes below `lowest`. */
async function act(step: Step, orders: readonly ChainOrder[], lowest: number): Promise<void> {
  if (step.do === 'mine') return market.mine(step.blocks);
  if (step.do === 'wait') return new Promise((resolve) => setTimeout(resolve, 40));
  if (step.do === 'reorganise') {
    const { number } = await market.block();
    const depth = Math.min(step.depth, number - lowest);
    if (depth <= 0) return;
    await market.rollBack(depth);
    return step.length === 0 ? undefined : market.mine(step.length);
  }
  if (step.do === 'restart') return;
  const order = orders[step.order];
  if (order === undefined) return;
  // An order that is filled or cancelled already refuses more, which changes nothing on chain that counts.
  if (step.do === 'fill')
    await market.fill(order, (order.takerAmount * BigInt(step.percent)) / 100n).catch(() => undefined);
  else await market.cancel(order, step.byStranger ? chain.accounts.other.address : chain.accounts.maker.address);
}

test('after any fills, cancels, reorganisations and restarts the journal equals the chain, and no view ran ahead or behind', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const journal = await testJournal();
      const orders = Array.from({ length: ORDERS }, () => market.order(ONE));
      const books = new Books();
      const open = () => {
        const one = watch(journal, { ...chain, rpcUrl: proxy.url, maker: chain.accounts.maker.address });
        watchBooks(one, books);
        one.start();
        return one;
      };
      await market.mine();
      const floor = await market.block();
      let watcher = open();
      const events: OrderEvent[] = [];
      try {
        await watcher.reached(floor);
        let highest = floor.number;
        for (const step of plan) {
          highest = Math.max(highest, (await market.block()).number);
          await act(step, orders, Math.max(floor.number, highest - DEEPEST));
          if (step.do !== 'restart') continue;
          await watcher.stop();
          events.push(...watcher.events);
          watcher = open();
        }
        // Past every height there was: a node that only went back would count as behind.
        await market.mine(30);
        await market.fill(market.order(ONE), PRICE / 2n);
        await watcher.reached(await market.block());
        events.push(...watcher.events);
        expect(books.faults).toEqual([]);
        expect(inJournal(events).sort()).toEqual((await onChain(floor.number + 1)).sort());
        const standing = await journal.read.orderEvents(31337, 0);
        expect(standing).toHaveLength(inJournal(events).length);
        expect(watcher.resets).toEqual([]);
      } finally {
        await watcher.stop();
        await journal.dispose();
      }
    }),
    { numRuns: howOften(2, 10) },
  );
});
