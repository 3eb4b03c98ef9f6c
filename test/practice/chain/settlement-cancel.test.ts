import { encodeFunctionData } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTRACT_MAKER, SETTLEMENT } from '../../../electron/practice/chain/artifacts.ts';
import { readRemaining, startTestChain, type TestChain } from '../../chain-fixture.ts';
import { eventsOf, newOrder, PRICE, settle } from './settlement-calls.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

test('a cancelled order is finished and can be filled no more', async () => {
  const { maker, user } = chain.accounts;
  const order = await newOrder(chain);
  const orderHash = chain.orderHash(order);
  const hash = await settle(chain, maker, 'cancelOrder', [orderHash]);
  expect(await eventsOf(chain, hash)).toEqual([{ eventName: 'OrderCancelled', orderHash, maker: maker.address }]);
  expect(await readRemaining(chain, maker.address, orderHash)).toBe(1n);
  await expect(settle(chain, user, 'fillOrder', [order, await chain.sign(order)])).rejects.toThrow(
    'Order already filled or expired',
  );
});

test('anybody may cancel the hash under their own address, which leaves the maker’s order as it is', async () => {
  const { maker, user, other } = chain.accounts;
  const order = await newOrder(chain);
  const orderHash = chain.orderHash(order);
  const hash = await settle(chain, other, 'cancelOrder', [orderHash]);
  expect(await eventsOf(chain, hash)).toEqual([{ eventName: 'OrderCancelled', orderHash, maker: other.address }]);
  expect(await readRemaining(chain, maker.address, orderHash)).toBe(0n);
  await settle(chain, user, 'fillOrder', [order, await chain.sign(order)]);
});

test('cancelOrders cancels what is open and says nothing of what is finished already', async () => {
  const { maker, user } = chain.accounts;
  const [filled, partlyFilled, unseen] = [await newOrder(chain), await newOrder(chain), await newOrder(chain)];
  await settle(chain, user, 'fillOrder', [filled, await chain.sign(filled)]);
  await settle(chain, user, 'partialFillOrder', [partlyFilled, await chain.sign(partlyFilled), PRICE / 2n]);
  const hashes = [filled, partlyFilled, unseen].map(chain.orderHash);
  const events = await eventsOf(chain, await settle(chain, maker, 'cancelOrders', [hashes]));
  expect(events.map((event) => (event as { orderHash?: unknown }).orderHash)).toEqual(hashes.slice(1));
  expect(await eventsOf(chain, await settle(chain, maker, 'cancelOrder', [hashes[0]]))).toEqual([]);
});

test('two hundred orders are cancelled in one transaction', async () => {
  const { maker } = chain.accounts;
  const hashes = Array.from({ length: 200 }, (_, index) => `0x${(index + 1).toString(16).padStart(64, '0')}`);
  const hash = await settle(chain, maker, 'cancelOrders', [hashes]);
  expect(await eventsOf(chain, hash)).toHaveLength(200);
});

test('getRemainingOrderBalance answers for many orders of one maker', async () => {
  const { maker, user } = chain.accounts;
  const [finished, half, unseen] = [await newOrder(chain), await newOrder(chain), await newOrder(chain)];
  await settle(chain, user, 'fillOrder', [finished, await chain.sign(finished)]);
  await settle(chain, user, 'partialFillOrder', [half, await chain.sign(half), PRICE / 2n]);
  const answer = await chain.client.readContract({
    address: chain.rfqContract,
    abi: SETTLEMENT.abi,
    functionName: 'getRemainingOrderBalance',
    args: [maker.address, [finished, half, unseen].map(chain.orderHash)],
  });
  expect(answer).toEqual([1n, half.makerAmount / 2n + 1n, 0n]);
});

test('a contract maker cancels through its owner, and through nobody else', async () => {
  const { maker, other } = chain.accounts;
  const order = await newOrder(chain, { maker: chain.contractMaker });
  const orderHash = chain.orderHash(order);
  const data = encodeFunctionData({ abi: SETTLEMENT.abi, functionName: 'cancelOrder', args: [orderHash] });
  const args = [chain.rfqContract, data];
  await expect(other.call(CONTRACT_MAKER, chain.contractMaker, 'execute', args)).rejects.toThrow('OnlyOwner()');
  await maker.call(CONTRACT_MAKER, chain.contractMaker, 'execute', args);
  expect(await readRemaining(chain, chain.contractMaker, orderHash)).toBe(1n);
});
