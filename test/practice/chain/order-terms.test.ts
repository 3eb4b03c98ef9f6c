import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXECUTOR } from '../../../electron/practice/chain/artifacts.ts';
import {
  type ChainOrder,
  readRemaining,
  startTestChain,
  type TestAccount,
  type TestChain,
} from '../../chain-fixture.ts';
import { changesIn, newOrder, ONE, PRICE, settle } from './settlement-calls.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

/** A firm quote as the service asks for it: filled by the execution contract, for the user and for nobody else. */
async function quoteForUser(changes: Partial<ChainOrder> = {}): Promise<ChainOrder> {
  const order = await newOrder(chain, { taker: chain.executor, ...changes });
  return { ...order, nonceAndMeta: order.nonceAndMeta + BigInt(chain.accounts.user.address) };
}

async function fill(order: ChainOrder, takerAmount = PRICE, by: TestAccount = chain.accounts.user): Promise<unknown> {
  return by.call(EXECUTOR, chain.executor, 'fill', [order, await chain.sign(order), takerAmount, 0n]);
}

/** Nothing moved, and the contract knows nothing of the order. */
async function expectNothing(order: ChainOrder, deed: () => Promise<unknown>, remaining = 0n): Promise<void> {
  const { maker, user, other } = chain.accounts;
  const owners = [maker.address, user.address, other.address, chain.executor];
  expect(await changesIn(chain, owners, deed)).toEqual(owners.flatMap(() => [0n, 0n]));
  expect(await readRemaining(chain, order.maker, chain.orderHash(order))).toBe(remaining);
}

test('an order quoted for one user is filled by no other: not through the execution contract, nor past it', async () => {
  const { other, user } = chain.accounts;
  const order = await quoteForUser();
  await expectNothing(order, async () => {
    await expect(fill(order, PRICE, other)).rejects.toThrow('UnauthorizedUser()');
    const signature = await chain.sign(order);
    for (const by of [other, user]) {
      await expect(settle(chain, by, 'fillOrder', [order, signature])).rejects.toThrow('Access denied');
    }
    const forOther = { ...order, nonceAndMeta: ((order.nonceAndMeta >> 160n) << 160n) + BigInt(other.address) };
    const relabelled = [forOther, signature, PRICE, 0n];
    await expect(other.call(EXECUTOR, chain.executor, 'fill', relabelled)).rejects.toThrow('Invalid Signature');
    const toAnybody = [{ ...order, taker: other.address }, signature];
    await expect(settle(chain, other, 'fillOrder', toAnybody)).rejects.toThrow('Invalid Signature');
  });
  await fill(order);
});

test('an expired order is not filled at all, whole or partly filled before', async () => {
  const expiry = (await chain.now()) + 60n;
  const [whole, partly] = [await quoteForUser({ expiry }), await quoteForUser({ expiry })];
  await fill(partly, PRICE / 4n);
  await chain.control.setNextBlockTimestamp({ timestamp: expiry + 1n });
  await chain.control.mine({ blocks: 1 });
  await expectNothing(whole, () => expect(fill(whole)).rejects.toThrow('Order expired'));
  const rest = (ONE * 3n) / 4n + 1n;
  await expectNothing(partly, () => expect(fill(partly, PRICE / 4n)).rejects.toThrow('Order expired'), rest);
});

test('a cancelled order is not filled at all, whole or partly filled before', async () => {
  const [whole, partly] = [await quoteForUser(), await quoteForUser()];
  await fill(partly, PRICE / 4n);
  await settle(chain, chain.accounts.maker, 'cancelOrders', [[whole, partly].map(chain.orderHash)]);
  for (const order of [whole, partly]) {
    await expectNothing(order, () => expect(fill(order, 1n)).rejects.toThrow('Order already filled or expired'), 1n);
  }
});

test('a partly filled order is filled for the rest and for no more', async () => {
  const order = await quoteForUser();
  await fill(order, PRICE / 4n);
  const rest = (ONE * 3n) / 4n + 1n;
  const tooMuch = () => expect(fill(order, (PRICE * 3n) / 4n + 1n)).rejects.toThrow('Order already filled or expired');
  await expectNothing(order, tooMuch, rest);
  const { user } = chain.accounts;
  const changes = await changesIn(chain, [user.address], () => fill(order, (PRICE * 3n) / 4n));
  expect(changes).toEqual([(ONE * 3n) / 4n, -(PRICE * 3n) / 4n]);
  await expectNothing(order, () => expect(fill(order, 1n)).rejects.toThrow('Order already filled or expired'), 1n);
});
