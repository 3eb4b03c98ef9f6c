import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packNonceAndMeta, unpackNonceAndMeta } from '../../electron/protocol/nonce-and-meta.ts';
import published from '../vectors/published-order.json' with { type: 'json' };

const anAddress = fc
  .bigInt({ min: 0n, max: 2n ** 160n - 1n })
  .map((n): `0x${string}` => `0x${n.toString(16).padStart(40, '0')}`);

describe('nonceAndMeta', () => {
  it('is the random part shifted by 160 bits plus the user, and comes apart again', () => {
    fc.assert(
      fc.property(anAddress, fc.bigInt({ min: 0n, max: 2n ** 96n - 1n }), (user, random) => {
        const packed = packNonceAndMeta(user, random);
        expect(packed).toBe(BigInt(user) + random * 2n ** 160n);
        expect(packed < 2n ** 256n).toBe(true);
        expect(unpackNonceAndMeta(packed)).toEqual({ user, random });
      }),
    );
  });

  it('takes the user in any casing', () => {
    const user = '0xDEF171Fe48CF0115B1d80b88dc8eAB59176FEe57';
    expect(unpackNonceAndMeta(packNonceAndMeta(user, 7n))).toEqual({ user: user.toLowerCase(), random: 7n });
  });

  it('of the published order names nobody', () => {
    const { user } = unpackNonceAndMeta(BigInt(published.order.nonceAndMeta));
    expect(user).toBe(`0x${'0'.repeat(40)}`);
  });

  it('refuses what does not fit', () => {
    expect(() => packNonceAndMeta(`0x${'1'.repeat(40)}`, 2n ** 96n)).toThrow(/below 2\^96/);
    expect(() => packNonceAndMeta(`0x${'1'.repeat(40)}`, -1n)).toThrow(/below 2\^96/);
    expect(() => unpackNonceAndMeta(2n ** 256n)).toThrow(/below 2\^256/);
    expect(() => unpackNonceAndMeta(-1n)).toThrow(/below 2\^256/);
  });
});
