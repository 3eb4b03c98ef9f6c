import fc from 'fast-check';
import { hashTypedData, recoverAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import { domainSeparator, type OrderFields, orderHash, toWireOrder } from '../../electron/protocol/order-hash.ts';
import { howOften } from '../how-often.ts';
import { ORDER_TYPES } from '../vectors/order-types.ts';
import published from '../vectors/published-order.json' with { type: 'json' };

const anAddress = fc
  .bigInt({ min: 0n, max: 2n ** 160n - 1n })
  .map((number): Address => `0x${number.toString(16).padStart(40, '0')}`);
const aWord = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.constantFrom(0n, 1n, 2n ** 256n - 1n));
const anOrder: fc.Arbitrary<OrderFields> = fc.record({
  nonceAndMeta: aWord,
  expiry: fc.maxSafeNat(),
  makerAsset: anAddress,
  takerAsset: anAddress,
  maker: anAddress,
  taker: anAddress,
  makerAmount: aWord,
  takerAmount: aWord,
});

const sample: OrderFields = {
  ...published.order,
  nonceAndMeta: BigInt(published.order.nonceAndMeta),
  makerAmount: BigInt(published.order.makerAmount),
  takerAmount: BigInt(published.order.takerAmount),
  makerAsset: published.order.makerAsset as Address,
  takerAsset: published.order.takerAsset as Address,
  maker: published.order.maker as Address,
  taker: published.order.taker as Address,
};
const separator = domainSeparator({ ...published.domain, rfqContract: published.domain.rfqContract as Address });

describe('the order hash', () => {
  it('is that of the published order, whose signature recovers to its maker', async () => {
    expect(orderHash(separator, sample)).toBe(published.hash);
    const signer = await recoverAddress({ hash: orderHash(separator, sample), signature: published.signature as Hex });
    expect(signer).toBe(published.order.maker);
  });

  it('does not depend on the casing of addresses', () => {
    const maker = sample.maker.toLowerCase() as Address;
    expect(orderHash(separator, { ...sample, maker })).toBe(published.hash);
  });

  it('equals an independent EIP-712 implementation for any domain and any order', () => {
    const domains = fc.record({
      domainName: fc.string({ unit: 'grapheme', maxLength: 40 }),
      chainId: fc.integer({ min: 1, max: 2 ** 48 }),
      rfqContract: anAddress,
    });
    const property = fc.property(domains, anOrder, (domain, order) => {
      const other = hashTypedData({
        domain: {
          name: domain.domainName,
          version: '1',
          chainId: domain.chainId,
          verifyingContract: domain.rfqContract,
        },
        types: ORDER_TYPES,
        primaryType: 'Order',
        message: { ...order, expiry: BigInt(order.expiry) },
      });
      expect(orderHash(domainSeparator(domain), order)).toBe(other);
    });
    fc.assert(property, { numRuns: howOften(300, 10_000) });
  });

  it.each([
    ['nonceAndMeta', { nonceAndMeta: 2n ** 256n }],
    ['makerAmount', { makerAmount: -1n }],
    ['takerAmount', { takerAmount: 2n ** 256n }],
    ['expiry', { expiry: -1 }],
    ['expiry', { expiry: 1.5 }],
    ['maker', { maker: '0x12' as Address }],
  ])('refuses a %s that does not fit its type', (field, change) => {
    expect(() => orderHash(separator, { ...sample, ...change })).toThrow(`The order's ${field} does not fit its type.`);
  });

  it('goes on the wire with amounts as decimal strings and addresses as the request wrote them', () => {
    const wire = toWireOrder(sample, '0x00', { makerAsset: '0xAB', takerAsset: '0xCD', taker: '0xEF' });
    expect(wire).toEqual({
      ...published.order,
      makerAsset: '0xAB',
      takerAsset: '0xCD',
      taker: '0xEF',
      signature: '0x00',
    });
    expect(toWireOrder(sample, '0x00')).toEqual({ ...published.order, signature: '0x00' });
  });
});
