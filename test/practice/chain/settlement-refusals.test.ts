import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import { type ChainOrder, readRemaining, startTestChain, type TestChain } from '../../chain-fixture.ts';
import { newOrder, ONE, PRICE, settle } from './settlement-calls.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

async function fill(order: ChainOrder, by = chain.accounts.user): Promise<unknown> {
  return settle(chain, by, 'fillOrder', [order, await chain.sign(order)]);
}

async function partial(order: ChainOrder, takerAmount: bigint): Promise<unknown> {
  return settle(chain, chain.accounts.user, 'partialFillOrder', [order, await chain.sign(order), takerAmount]);
}

test('an order is filled in its expiry second and not in the next, nor is the rest of one that was filled in part', async () => {
  const expiry = (await chain.now()) + 100n;
  const [inTime, tooLate] = [await newOrder(chain, { expiry }), await newOrder(chain, { expiry })];
  const partly = await newOrder(chain, { expiry });
  await partial(partly, PRICE / 4n);
  await chain.control.setNextBlockTimestamp({ timestamp: expiry });
  await chain.control.mine({ blocks: 1 });
  expect(await chain.now()).toBe(expiry);
  await chain.control.setBlockTimestampInterval({ interval: 0 });
  await fill(inTime);
  expect(await chain.now()).toBe(expiry);
  await chain.control.setBlockTimestampInterval({ interval: 1 });
  await chain.control.mine({ blocks: 1 });
  await expect(fill(tooLate)).rejects.toThrow('Order expired');
  await expect(partial(partly, PRICE / 4n)).rejects.toThrow('Order expired');
  await chain.control.removeBlockTimestampInterval();
});

test('only the order’s taker may fill it', async () => {
  const { user, other } = chain.accounts;
  const order = await newOrder(chain, { taker: user.address });
  await expect(fill(order, other)).rejects.toThrow('Access denied');
  await fill(order, user);
});

test('an amount of zero cannot be filled', async () => {
  await expect(fill(await newOrder(chain, { makerAmount: 0n }))).rejects.toThrow('Invalid amount');
  await expect(fill(await newOrder(chain, { takerAmount: 0n }))).rejects.toThrow('Invalid amount');
});

test('a partial fill is of at least one unit and at most the whole', async () => {
  await expect(partial(await newOrder(chain), 0n)).rejects.toThrow('Invalid Taker amount');
  await expect(partial(await newOrder(chain), PRICE + 1n)).rejects.toThrow('Invalid Taker amount');
});

test('a partial fill that would give the taker nothing is refused', async () => {
  const order = await newOrder(chain, { makerAmount: 1n, takerAmount: 10n });
  await expect(partial(order, 9n)).rejects.toThrow('Maker token fill amount cannot be 0');
});

test('what is filled cannot be filled again, nor more than is left', async () => {
  const order = await newOrder(chain);
  await partial(order, PRICE / 2n);
  await expect(fill(order)).rejects.toThrow('Order already filled or expired');
  await expect(partial(order, PRICE / 2n + 1_000n)).rejects.toThrow('Order already filled or expired');
  await partial(order, PRICE / 2n);
  await expect(partial(order, 1_000n)).rejects.toThrow('Order already filled or expired');
});

test('a permit that its token refuses stops the fill', async () => {
  const { user } = chain.accounts;
  const order = await newOrder(chain);
  const signature = await chain.sign(order);
  for (const words of [7, 8]) {
    const args = [order, signature, PRICE, user.address, `0x${'00'.repeat(32 * words)}`, '0x'];
    await expect(settle(chain, user, 'partialFillOrderWithTargetPermit', args)).rejects.toThrow('Permit failed');
  }
});

test('a short balance or allowance comes back in the token’s own words', async () => {
  const { maker, user } = chain.accounts;
  const tooMuch = await newOrder(chain, { makerAmount: 20_000n * ONE });
  await expect(fill(tooMuch)).rejects.toThrow('Insufficient balance');
  await maker.call(TEST_TOKEN, chain.weth, 'approve', [chain.rfqContract, ONE - 1n]);
  await expect(fill(await newOrder(chain))).rejects.toThrow('Insufficient allowance');
  await maker.call(TEST_TOKEN, chain.weth, 'approve', [chain.rfqContract, 2n ** 256n - 1n]);
  await user.call(TEST_TOKEN, chain.usdc, 'approve', [chain.rfqContract, 0n]);
  await expect(fill(await newOrder(chain))).rejects.toThrow('Insufficient allowance');
  await user.call(TEST_TOKEN, chain.usdc, 'approve', [chain.rfqContract, 2n ** 256n - 1n]);
});

test('an asset that is no contract moves nothing', async () => {
  const order = await newOrder(chain, { makerAsset: chain.accounts.other.address });
  await expect(fill(order)).rejects.toThrow('Token transfer failed');
});

test('a fill that fails leaves no trace', async () => {
  const order = await newOrder(chain, { makerAmount: 20_000n * ONE });
  await expect(fill(order)).rejects.toThrow();
  expect(await readRemaining(chain, order.maker, chain.orderHash(order))).toBe(0n);
});

test('amount, permit, expiry, taker, signature, remaining, balance: the first that is wrong is the one named', async () => {
  const { user, other } = chain.accounts;
  const past = (await chain.now()) - 1n;
  const broken = await newOrder(chain, { makerAmount: 20_000n * ONE, taker: other.address, expiry: past });
  const badPermit = `0x${'00'.repeat(224)}`;
  const attempt = (order: ChainOrder, signature: string, takerAmount: bigint, permit: string) =>
    settle(chain, user, 'partialFillOrderWithTargetPermit', [
      order,
      signature,
      takerAmount,
      user.address,
      permit,
      '0x',
    ]);
  await expect(attempt(broken, '0x', PRICE + 1n, badPermit)).rejects.toThrow('Invalid Taker amount');
  await expect(attempt({ ...broken, makerAmount: 1n }, '0x', 1n, badPermit)).rejects.toThrow(
    'Maker token fill amount cannot be 0',
  );
  await expect(attempt(broken, '0x', PRICE, badPermit)).rejects.toThrow('Permit failed');
  await expect(attempt(broken, '0x', PRICE, '0x')).rejects.toThrow('Order expired');
  const inTime = { ...broken, expiry: 0n };
  await expect(attempt(inTime, '0x', PRICE, '0x')).rejects.toThrow('Access denied');
  const mine = { ...inTime, taker: user.address };
  await expect(attempt(mine, '0x', PRICE, '0x')).rejects.toThrow('Invalid Signature');
  await expect(attempt(mine, await chain.sign(mine), PRICE, '0x')).rejects.toThrow('Insufficient balance');
  await settle(chain, chain.accounts.maker, 'cancelOrder', [chain.orderHash(mine)]);
  await expect(attempt(mine, '0x', PRICE, '0x')).rejects.toThrow('Order already filled or expired');
});
