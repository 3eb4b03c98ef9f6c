import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openClient } from '../../../electron/practice/chain/sender.ts';
import { type IntentStore, openIntentStore } from '../../../electron/practice/intents/intent-store.ts';
import { openPracticeMarket, type PracticeMarket } from '../../../electron/practice/market.ts';
import type { Address, Hex } from '../../../electron/protocol/address.ts';
import { ENDED_STATUSES } from '../../../electron/protocol/intent-order-record.ts';
import { eip2612TypedData, encodeEip2612 } from '../../../electron/protocol/permit.ts';
import { typedDataHash } from '../../../electron/protocol/typed-data.ts';
import { collectLog } from '../collected-log.ts';
import { type MarketOwner, openMarketOwner } from './market-owner.ts';

const ETHER = 10n ** 18n;
/** More than anybody gives for a WETH. */
const NEVER = '9000000000000';

let folder: string;
let market: PracticeMarket;
let owner: MarketOwner;
/** The orders as they are kept, looked at from outside. */
let store: IntentStore;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'whole-market-'));
  market = await openPracticeMarket({
    folder,
    seed: 1,
    now: Date.now,
    log: collectLog(),
    rpcPorts: [0],
    servicePort: 0,
  });
  store = openIntentStore({ file: join(folder, 'intents.db'), now: Date.now });
});
beforeEach(() => {
  owner = openMarketOwner(() => market);
});
afterAll(async () => {
  store?.close();
  await market?.close();
  rmSync(folder, { recursive: true, force: true });
});

const token = (id: string, chain = 0): Address => market.chains[chain]?.addresses.tokens[id] ?? '0x';

test('an order over the bridge is delivered on the other chain to the last unit; while the bridge is down it comes back', async () => {
  const [src, dest] = [token('USDC'), token('WETH', 1)];
  const amount = 5_000n * 10n ** 6n;
  const across = { srcToken: src, srcDecimals: 6, destToken: dest, destDecimals: 18, destChainId: 31338 };
  await owner.gets(src, 2n * amount);
  const route = await owner.route({ ...across, amount: `${amount}` });
  const delivered = await owner.reaches(await owner.submit(route), 'COMPLETED');
  expect(delivered).toMatchObject({
    input: { chainId: 31337, token: src, executedAmount: `${amount}` },
    output: { chainId: 31338, token: dest, executedAmount: `${await owner.has(dest, 1)}` },
    refunds: [],
    transactions: [{ filledPercent: 100, receivedAmount: `${await owner.has(dest, 1)}` }],
  });
  expect(await owner.has(dest, 1)).toBeGreaterThanOrEqual((BigInt(route.destination.output.amount) * 99n) / 100n);
  expect(await owner.has(src)).toBe(amount);
  const [{ originTx = '0x', destinationTx = null } = {}] = delivered.transactions;
  for (const [index, hash] of [originTx, destinationTx].entries()) {
    const client = openClient(market.chains[index]?.rpcUrl ?? '');
    expect((await client.getTransactionReceipt({ hash: hash as Hex })).status).toBe('success');
  }

  const [there, here] = [await owner.has(dest, 1), await owner.has(token('WETH'))];
  await market.faults.switch('bridge-down', true);
  const { refunds, transactions, output } = await owner.reaches(await owner.submit(route), 'REFUNDED');
  await market.faults.switch('bridge-down', false);
  const back = (await owner.has(token('WETH'))) - here;
  expect(refunds).toEqual([
    { tx: expect.stringMatching(/^0x[0-9a-f]{64}$/), chainId: 31337, token: token('WETH'), amount: `${back}` },
  ]);
  expect(back).toBeGreaterThan(0n);
  const client = openClient(market.chains[0]?.rpcUrl ?? '');
  expect((await client.getTransactionReceipt({ hash: refunds[0]?.tx as Hex })).status).toBe('success');
  expect([transactions[0]?.destinationTx, output.executedAmount, await owner.has(dest, 1)]).toEqual([null, '0', there]);
});

test('the wrapped native asset is sold by a permit only: no approval stands for it', async () => {
  const { wrappedNative } = market.chains[0]?.addresses.market ?? { wrappedNative: '0x' as Address };
  const { intents = '0x' as Address } = market.chains[0]?.addresses ?? {};
  await owner.gets(wrappedNative, ETHER);
  const route = await owner.route({ srcToken: wrappedNative, destToken: token('USDC'), destDecimals: 6 });
  const refused = { errorType: 'PermitRequired', details: 'Permit / Permit2 required' };
  expect(await owner.build(route)).toEqual({ status: 400, body: refused });
  await owner.gets(wrappedNative, 0n);
  const permit = { chainId: 31337, token: wrappedNative, owner: owner.address, spender: intents, amount: ETHER };
  const dated = { ...permit, nonce: 0n, deadline: BigInt(Math.floor(Date.now() / 1_000) + 600) };
  const hash = typedDataHash(eip2612TypedData({ name: 'Wrapped native', version: '1' }, dated));
  const signature = await privateKeyToAccount(owner.key).sign({ hash });
  const before = await owner.has(token('USDC'));
  const id = await owner.submit(route, { permit: encodeEip2612(dated, signature) });
  const { output } = await owner.reaches(id, 'COMPLETED');
  expect(await owner.has(wrappedNative)).toBe(0n);
  expect(`${(await owner.has(token('USDC'))) - before}`).toBe(output.executedAmount);
});

test('a cancellation during an auction is taken and waits: a fill in flight goes through, an auction without one ends in it', async () => {
  const weth = token('WETH');
  const isEnded = (id: string) => ENDED_STATUSES.has(store.byId(id)?.status ?? '');
  const inAuction = (id: string) => store.byId(id)?.auctionStartedAt !== null;
  /** An order that was cancelled during an auction; where the auction was over before, another one. */
  const cancelledInAuction = async (wish: Record<string, unknown>): Promise<string> => {
    for (;;) {
      if ((await owner.has(weth)) === 0n) await owner.gets(weth, ETHER);
      const route = await owner.route({ srcToken: weth, destToken: token('USDC'), destDecimals: 6 });
      const id = await owner.submit(route, wish);
      await vi.waitFor(() => expect(inAuction(id) || isEnded(id)).toBe(true), { interval: 5 });
      const answer = await owner.cancel(id);
      const { status } = await owner.record(id);
      if (inAuction(id)) {
        expect(answer).toEqual([200, undefined]);
        expect(status).toMatch(/^(PENDING|ACTIVE)$/);
        return id;
      }
      await vi.waitFor(() => expect(isEnded(id)).toBe(true));
    }
  };
  for (const [wish, end] of [
    [{ slippage: undefined, limitAmount: NEVER }, 'CANCELLED'],
    [{}, 'COMPLETED'],
  ] as const) {
    const id = await cancelledInAuction(wish);
    const { transactions } = await owner.reaches(id, end);
    expect(transactions).toHaveLength(end === 'COMPLETED' ? 1 : 0);
    expect(await owner.cancel(id)).toEqual([400, 'Order already settled']);
  }
  expect(await owner.has(weth)).toBe(0n);
});

test('after the drill of a reorganisation a completed order is filled again, and its record is what the chain says', async () => {
  const [weth, usdc] = [token('WETH'), token('USDC')];
  const client = openClient(market.chains[0]?.rpcUrl ?? '');
  await owner.gets(weth, ETHER);
  const height = await client.getBlockNumber();
  // What the owner did himself lies deeper than what is taken back.
  await vi.waitFor(async () => expect(await client.getBlockNumber()).toBeGreaterThan(height + 6n));
  const before = await owner.has(usdc);
  const id = await owner.submit(await owner.route({ srcToken: weth, destToken: usdc, destDecimals: 6 }));
  const { transactions: filled } = await owner.reaches(id, 'COMPLETED');
  const { blockNumber } = await client.getTransactionReceipt({ hash: filled[0]?.originTx as Hex });
  // Blocks come meanwhile, and so does the next fill: it is taken back again until nobody was faster.
  await vi.waitFor(async () => {
    const depth = Number((await client.getBlockNumber()) - blockNumber) + 4;
    await market.faults.switch('reorg', true, { depth });
    expect(await owner.has(weth)).toBe(ETHER);
  });
  const { transactions, output } = await vi.waitFor(
    async () => {
      const record = await owner.record(id);
      const [{ originTx = '0x' } = {}] = record.transactions;
      expect(record.status).toBe('COMPLETED');
      expect((await client.getTransactionReceipt({ hash: originTx as Hex })).status).toBe('success');
      return record;
    },
    { interval: 100 },
  );
  expect(transactions).toHaveLength(1);
  expect([await owner.has(weth), `${(await owner.has(usdc)) - before}`]).toEqual([0n, output.executedAmount]);
});
