import { parseCompactSignature, parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../electron/protocol/address.ts';
import { domainSeparator, orderHash } from '../../../electron/protocol/order-hash.ts';
import { type ChainOrder, startTestChain, type TestChain } from '../../chain-fixture.ts';
import { newOrder, settle } from './settlement-calls.ts';

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain?.close());

function fill(order: ChainOrder, signature: Hex): Promise<unknown> {
  return settle(chain, chain.accounts.user, 'fillOrder', [order, signature]);
}

test('the contract, viem and our own order hash are of one mind', async () => {
  const order = await newOrder(chain, { nonceAndMeta: 2n ** 256n - 1n });
  const separator = domainSeparator(chain);
  expect(orderHash(separator, { ...order, expiry: Number(order.expiry) })).toBe(chain.orderHash(order));
  await fill(order, await chain.sign(order));
});

test('a key’s signature of 65 bytes counts', async () => {
  const order = await newOrder(chain);
  await fill(order, await chain.sign(order));
});

test('the same in 64 bytes (EIP-2098) counts, whichever parity it has', async () => {
  const seen = new Set<number>();
  while (seen.size < 2) {
    const order = await newOrder(chain);
    const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(await chain.sign(order))));
    expect(compact).toHaveLength(2 + 128);
    seen.add(Number(BigInt(parseCompactSignature(compact).yParityAndS) >> 255n));
    await fill(order, compact);
  }
});

test('somebody else’s signature, another order’s, and bytes of odd lengths do not count', async () => {
  const order = await newOrder(chain);
  const good = await chain.sign(order);
  const foreign = await chain.sign(order, chain.accounts.other);
  const otherOrders = await chain.sign({ ...order, makerAmount: order.makerAmount + 1n });
  for (const bad of [foreign, otherOrders, '0x', good.slice(0, -4), `${good}00`, `0x${'00'.repeat(65)}`]) {
    await expect(fill(order, bad as Hex)).rejects.toThrow('Invalid Signature');
  }
});

test('the malleable twin of a signature and a v of 0 or 1 do not count', async () => {
  const order = await newOrder(chain);
  const signature = await chain.sign(order);
  const { r, s, yParity } = parseSignature(signature);
  const twin = (CURVE_ORDER - BigInt(s)).toString(16).padStart(64, '0');
  await expect(fill(order, `0x${r.slice(2)}${twin}${yParity === 0 ? '1c' : '1b'}`)).rejects.toThrow(
    'Invalid Signature',
  );
  await expect(fill(order, `0x${r.slice(2)}${s.slice(2)}0${yParity}`)).rejects.toThrow('Invalid Signature');
});

test('a contract maker’s order counts when its owner signed, in either form, and not otherwise', async () => {
  const order = await newOrder(chain, { maker: chain.contractMaker });
  await expect(fill(order, await chain.sign(order, chain.accounts.other))).rejects.toThrow('Invalid Signature');
  await expect(fill(order, '0x')).rejects.toThrow('Invalid Signature');
  await fill(order, await chain.sign(order));
  const second = await newOrder(chain, { maker: chain.contractMaker });
  await fill(second, serializeCompactSignature(signatureToCompactSignature(parseSignature(await chain.sign(second)))));
});

test('a contract that answers something else than the magic value is no maker', async () => {
  const order = await newOrder(chain, { maker: chain.weth });
  await expect(fill(order, await chain.sign(order))).rejects.toThrow('Invalid Signature');
});

test('a signature under another name of the domain does not count', async () => {
  const { maker } = chain.accounts;
  const order = await newOrder(chain);
  const hash = orderHash(domainSeparator({ ...chain, domainName: 'ANOTHER RFQ' }), {
    ...order,
    expiry: Number(order.expiry),
  });
  await expect(fill(order, await privateKeyToAccount(maker.privateKey).sign({ hash }))).rejects.toThrow(
    'Invalid Signature',
  );
});
