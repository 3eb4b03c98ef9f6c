import fc from 'fast-check';
import { encodeAbiParameters, hashTypedData } from 'viem';
import { expect, test } from 'vitest';
import type { Hex } from '../../electron/protocol/address.ts';
import { hashToSign } from '../../electron/protocol/signing-form.ts';

const hexOf = (value: bigint, bytes: number): Hex => `0x${value.toString(16).padStart(2 * bytes, '0')}`;

test('raw, what is signed is the hash of the order itself', () => {
  const hash: Hex = `0x${'ab'.repeat(32)}`;
  expect(hashToSign('raw', { chainId: 1, maker: `0x${'1'.repeat(40)}` }, hash)).toBe(hash);
});

test('wrapped, it is the EIP-712 hash of a SafeMessage that holds the encoded hash, in the domain of wallet and chain', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.nat(),
      fc.integer({ min: 1 }),
      (word, low, chainId) => {
        const [hash, maker] = [hexOf(word, 32), hexOf(BigInt(low), 20)];
        const expected = hashTypedData({
          domain: { chainId, verifyingContract: maker },
          types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
          primaryType: 'SafeMessage',
          message: { message: encodeAbiParameters([{ type: 'bytes32' }], [hash]) },
        });
        expect(hashToSign('safe', { chainId, maker }, hash)).toBe(expected);
      },
    ),
  );
});
