import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../electron/protocol/address.ts';
import { ASSET_KINDS, packAsset, unpackAsset } from '../../electron/protocol/packed-asset.ts';

const TOKEN: Address = '0x00000000000000000000000000000000000000aa';

const anAddress = fc
  .bigInt({ min: 0n, max: 2n ** 160n - 1n })
  .map((number): Address => `0x${number.toString(16).padStart(40, '0')}`);

describe('a packed asset', () => {
  it('has the token in its low 160 bits and the kind above them', () => {
    expect(packAsset({ kind: 'erc20', token: TOKEN })).toBe(0xaan);
    expect(packAsset({ kind: 'erc1155', token: TOKEN })).toBe(2n ** 160n + 0xaan);
    expect(packAsset({ kind: 'erc721', token: TOKEN })).toBe(2n ** 161n + 0xaan);
  });

  it('gives back what went into it', () => {
    const property = fc.property(fc.constantFrom(...ASSET_KINDS), anAddress, (kind, token) => {
      expect(unpackAsset(packAsset({ kind, token }))).toEqual({ kind, token });
    });
    fc.assert(property);
  });

  it('is of no other kind than the three, and of no other token than an address', () => {
    for (const packed of [3n << 160n, 2n ** 255n, -1n]) {
      expect(() => unpackAsset(packed)).toThrow('The packed asset is of no known kind.');
    }
    expect(() => packAsset({ kind: 'erc20', token: '0x12' })).toThrow('must be 0x followed by 40 hex characters');
  });
});
