import { encodeAbiParameters, parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SETTLEMENT, TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import { allowanceOf, readAmount } from '../../../electron/practice/chain/read-amount.ts';
import type { Hex } from '../../../electron/protocol/address.ts';
import { readRemaining, startTestChain, type TestChain } from '../../chain-fixture.ts';
import { changesIn, eventsOf, newOrder, ONE, PRICE, settle } from './settlement-calls.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

test('fillOrder swaps the whole order between maker and caller, and marks it finished', async () => {
  const { maker, user } = chain.accounts;
  const order = await newOrder(chain);
  const signature = await chain.sign(order);
  const changed = await changesIn(chain, [maker.address, user.address], async () => {
    const hash = await settle(chain, user, 'fillOrder', [order, signature]);
    expect(await eventsOf(chain, hash)).toEqual([
      {
        eventName: 'OrderFilled',
        orderHash: chain.orderHash(order),
        maker: maker.address,
        makerAsset: chain.weth,
        makerAmount: ONE,
        taker: user.address,
        takerAsset: chain.usdc,
        takerAmount: PRICE,
      },
    ]);
  });
  expect(changed).toEqual([-ONE, PRICE, ONE, -PRICE]);
  expect(await readRemaining(chain, maker.address, chain.orderHash(order))).toBe(1n);
});

test('fillOrderWithTarget pays the target, and the event names it as the taker', async () => {
  const { user, other } = chain.accounts;
  const order = await newOrder(chain);
  const signature = await chain.sign(order);
  const changed = await changesIn(chain, [user.address, other.address], async () => {
    const hash = await settle(chain, user, 'fillOrderWithTarget', [order, signature, other.address]);
    expect(await eventsOf(chain, hash)).toMatchObject([{ eventName: 'OrderFilled', taker: other.address }]);
  });
  expect(changed).toEqual([0n, -PRICE, ONE, 0n]);
});

test('partialFillOrder gives the maker share rounded down, answers it, and keeps the rest plus one as remaining', async () => {
  const { maker, user } = chain.accounts;
  const order = await newOrder(chain, { makerAmount: 1_000n, takerAmount: 3_000n });
  const signature = await chain.sign(order);
  const args = [order, signature, 1_001n];
  const { result } = await chain.client.simulateContract({
    address: chain.rfqContract,
    abi: SETTLEMENT.abi,
    functionName: 'partialFillOrder',
    args,
    account: user.address,
  });
  expect(result).toBe(333n);
  const changed = await changesIn(chain, [user.address], async () => {
    const hash = await settle(chain, user, 'partialFillOrder', args);
    expect(await eventsOf(chain, hash)).toMatchObject([{ makerAmount: 333n, takerAmount: 1_001n }]);
  });
  expect(changed).toEqual([333n, -1_001n]);
  expect(await readRemaining(chain, maker.address, chain.orderHash(order))).toBe(1_000n - 333n + 1n);
});

test('partialFillOrderWithTarget sends the maker share to the target', async () => {
  const { user, other } = chain.accounts;
  const order = await newOrder(chain);
  const args = [order, await chain.sign(order), PRICE / 2n, other.address];
  const changed = await changesIn(chain, [user.address, other.address], () =>
    settle(chain, user, 'partialFillOrderWithTarget', args),
  );
  expect(changed).toEqual([0n, -PRICE / 2n, ONE / 2n, 0n]);
});

test('rounding dust stays: an order can be paid for in full and yet not be finished', async () => {
  const { maker, user } = chain.accounts;
  const order = await newOrder(chain, { makerAmount: 10n, takerAmount: 4n });
  const signature = await chain.sign(order);
  for (const takerAmount of [1n, 1n, 1n, 1n]) {
    await settle(chain, user, 'partialFillOrder', [order, signature, takerAmount]);
  }
  const left = await readRemaining(chain, maker.address, chain.orderHash(order));
  expect(left).toBe(10n - 4n * 2n + 1n);
});

test('once an order was seen its signature is not looked at again', async () => {
  const { user } = chain.accounts;
  const order = await newOrder(chain);
  await settle(chain, user, 'partialFillOrder', [order, await chain.sign(order), PRICE / 2n]);
  await settle(chain, user, 'partialFillOrder', [order, '0x', PRICE / 2n]);
});

test('an order without expiry is never too old', async () => {
  const order = await newOrder(chain, { expiry: 0n });
  await settle(chain, chain.accounts.user, 'fillOrder', [order, await chain.sign(order)]);
});

test('partialFillOrderWithTargetPermit hands both tokens their permits first', async () => {
  const { maker, user, other } = chain.accounts;
  for (const owner of [maker, user]) {
    const token = owner === maker ? chain.weth : chain.usdc;
    await owner.call(TEST_TOKEN, token, 'approve', [chain.rfqContract, 0n]);
  }
  const order = await newOrder(chain);
  const paid = await permit(chain, user.privateKey, chain.usdc, 'USD Coin', PRICE);
  const given = await permit(chain, maker.privateKey, chain.weth, 'Wrapped Ether', 2n ** 256n - 1n);
  const args = [order, await chain.sign(order), PRICE, other.address, paid, given];
  const changed = await changesIn(chain, [maker.address, other.address], () =>
    settle(chain, user, 'partialFillOrderWithTargetPermit', args),
  );
  expect(changed).toEqual([-ONE, PRICE, ONE, 0n]);
  expect(await allowanceOf(chain.client, chain.usdc, user.address, chain.rfqContract)).toBe(0n);
  await user.call(TEST_TOKEN, chain.usdc, 'approve', [chain.rfqContract, 2n ** 256n - 1n]);
});

test('bytes of another length than a permit has are passed over', async () => {
  const order = await newOrder(chain);
  const args = [order, await chain.sign(order), PRICE, chain.accounts.user.address, '0x1234', '0x'];
  await settle(chain, chain.accounts.user, 'partialFillOrderWithTargetPermit', args);
});

/** The arguments of an EIP-2612 permit for the settlement contract, seven words. */
async function permit(on: TestChain, privateKey: Hex, token: Hex, name: string, value: bigint): Promise<Hex> {
  const account = privateKeyToAccount(privateKey);
  const deadline = (await on.now()) + 1_000n;
  const nonce = await readAmount(on.client, TEST_TOKEN, token, 'nonces', [account.address]);
  const uint = (field: string) => ({ name: field, type: 'uint256' });
  const address = (field: string) => ({ name: field, type: 'address' });
  const signature = await account.signTypedData({
    domain: { name, version: '1', chainId: on.chainId, verifyingContract: token },
    types: { Permit: [address('owner'), address('spender'), uint('value'), uint('nonce'), uint('deadline')] },
    primaryType: 'Permit',
    message: { owner: account.address, spender: on.rfqContract, value, nonce, deadline },
  });
  const { r, s, yParity } = parseSignature(signature);
  const types = ['address', 'address', 'uint256', 'uint256', 'uint8', 'bytes32', 'bytes32'].map((type) => ({ type }));
  return encodeAbiParameters(types, [account.address, on.rfqContract, value, deadline, yParity + 27, r, s]);
}
