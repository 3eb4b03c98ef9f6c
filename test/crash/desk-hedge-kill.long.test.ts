import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openJournal } from '../../electron/journal/journal.ts';
import { SETTLEMENT } from '../../electron/practice/chain/artifacts.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import { howOften } from '../how-often.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingLane, openLane } from './hedging-lane.ts';

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 120_000 });

const KILLS = howOften(4, 5, 'MAKERDESK_HEDGE_KILLS');
/** Desks that are killed side by side: each mostly waits for its turn at the service. */
const KEYS = ['41', '42', '43', '44'].map((byte): Hex => `0x${byte.repeat(32)}`);

let market: IntentMarket;
let lanes: HedgingLane[] = [];
beforeAll(async () => {
  market = await openIntentMarket();
  const rfqContract = await market.floor.owner.deploy(SETTLEMENT, ['TEST RFQ']);
  lanes = await Promise.all(KEYS.map((key) => openLane(market, { key, rfqContract })));
  // A transaction that was sent is not mined at once.
  await market.floor.control.setIntervalMining({ interval: 1 });
  market.start();
});
afterAll(async () => {
  await Promise.all(lanes.map((lane) => lane.close()));
  await market?.close();
});

const holdings = async (maker: Address) => ({
  WETH: await market.floor.balance('WETH', maker),
  USDC: await market.floor.balance('USDC', maker),
  nonce: await market.floor.chain.client.getTransactionCount({ address: maker }),
});

test(`kill -9 of the desk at any step of a hedge, ${KILLS} times: each position is right, and nothing is sent twice`, async () => {
  const before = await Promise.all(lanes.map(({ maker }) => holdings(maker)));
  let kills = 0;
  const live = async (lane: HedgingLane) => {
    // At times before anything new is placed.
    while (kills++ < KILLS) await lane.liveAndDie(kills % 5 !== 0);
    await lane.finish();
  };
  await Promise.all(lanes.map(live));
  const settled = await Promise.all(lanes.map((lane, index) => isSettled(lane, before[index] as Holdings)));

  const killedAt = lanes.flatMap((lane) => lane.killedAt);
  console.log({ killed: countOf(killedAt), ended: countOf(settled.flat()) });
  expect(killedAt).toHaveLength(KILLS);
  expect(new Set(killedAt).size, 'it died at many steps').toBeGreaterThan(Math.min(KILLS / 6, 12));
  expect(settled.flat().filter((state) => state === 'done').length).toBeGreaterThan(0);
});

/** How often each is there. */
function countOf(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

type Holdings = Awaited<ReturnType<typeof holdings>>;

/** Whether journal, chain and service agree to the last unit and transaction; gives how the hedges ended. */
async function isSettled({ folder, maker }: HedgingLane, before: Holdings): Promise<string[]> {
  const journal = await openJournal({ folder, now: Date.now });
  const hedges = await journal.read.hedges({ limit: 10_000 });
  const positions = await journal.read.positions(null, Date.now());
  await journal.close();
  const after = await holdings(maker);

  expect(hedges.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  const sum = (which: 'spent' | 'received') => hedges.reduce((total, hedge) => total + BigInt(hedge[which]), 0n);
  expect(after.WETH - before.WETH, 'what the chain says was spent').toBe(-sum('spent'));
  expect(after.USDC - before.USDC, 'what the chain says was received').toBe(sum('received'));
  const net = (symbol: string) => BigInt(positions.find(({ token }) => token.symbol === symbol)?.net ?? 0);
  expect([net('WETH'), net('USDC')]).toEqual([after.WETH - before.WETH, after.USDC - before.USDC]);

  const own = hedges.flatMap(({ transactions }) => transactions.filter(({ nonce }) => nonce !== null));
  expect(own.every(({ outcome }) => outcome === 'confirmed')).toBe(true);
  expect(new Set(own.map(({ nonce }) => nonce)).size, 'each nonce once').toBe(own.length);
  expect(after.nonce - before.nonce, 'transactions of the maker on chain').toBe(own.length);
  for (const { transactions } of hedges) {
    expect(transactions.filter(({ purpose }) => purpose === 'swap').length).toBeLessThanOrEqual(1);
  }
  const { rows, total } = market.store.list({ owner: maker, limit: 1_000, offset: 0 });
  const signed = new Set(hedges.flatMap(({ orderHash, orderId }) => (orderId === null ? [] : [orderHash])));
  expect(total, 'orders at the service').toBe(signed.size);
  expect(new Set(rows.map(({ orderHash }) => orderHash))).toEqual(signed);
  return hedges.map(({ state }) => state);
}
