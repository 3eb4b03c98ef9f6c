import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import * as fc from 'fast-check';
import { recoverAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { Hex } from '../../electron/protocol/address.ts';
import type { Curve } from '../../electron/signer/curve.ts';
import { loadNativeCurve } from '../../electron/signer/native-curve.ts';
import { portableCurve } from '../../electron/signer/portable-curve.ts';
import { openSigner } from '../../electron/signer/signer.ts';

const KEY: Hex = `0x${'4c'.repeat(32)}`;
const HALF_N = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const hashes = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
const keys = fc.bigInt({ min: 1n, max: 2n ** 255n }).map((n): Hex => `0x${n.toString(16).padStart(64, '0')}`);
const native = loadNativeCurve();

describe('a signer', () => {
  it('uses libsecp256k1 here, and never the JavaScript library that package falls back to', () => {
    expect(openSigner(KEY).implementation).toBe('native');
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    expect(loaded.filter((file) => file.includes('secp256k1'))).not.toEqual([]);
    expect(loaded.filter((file) => file.includes('elliptic'))).toEqual([]);
  });

  for (const curve of [native, portableCurve].filter((c): c is Curve => c !== null)) {
    it(`signs with the ${curve.name} curve what viem recovers to the same address`, async () => {
      await fc.assert(
        fc.asyncProperty(keys, hashes, async (key, hash) => {
          const signer = openSigner(key, curve);
          const signature = signer.sign({ hash });
          expect(signature).toMatch(/^0x[0-9a-f]{128}(1b|1c)$/);
          expect(BigInt(`0x${signature.slice(66, 130)}`) <= HALF_N).toBe(true);
          expect(signer.address).toBe(privateKeyToAccount(key).address.toLowerCase());
          expect((await recoverAddress({ hash, signature })).toLowerCase()).toBe(signer.address);
          expect(signer.recover(hash, signature)).toBe(signer.address);
          expect(signer.isOwn(hash, signature)).toBe(true);
        }),
        { numRuns: 25 },
      );
    });
  }

  it('gives byte for byte the same signatures with either implementation', () => {
    const same = fc.property(keys, hashes, (key, hash) => {
      expect(openSigner(key, portableCurve).sign({ hash })).toBe(openSigner(key).sign({ hash }));
    });
    return fc.assert(same, { numRuns: 25 });
  });

  it('does not take a signature for its own after any one bit of it, or of the hash, was turned', () => {
    const signer = openSigner(KEY);
    const hash: Hex = `0x${createHash('sha256').update('an order').digest('hex')}`;
    const signature = signer.sign({ hash });
    const turned = (hex: Hex, bit: number): Hex => {
      const bytes = Buffer.from(hex.slice(2), 'hex');
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return `0x${bytes.toString('hex')}`;
    };
    for (let bit = 0; bit < 65 * 8; bit += 1) expect(signer.isOwn(hash, turned(signature, bit))).toBe(false);
    for (let bit = 0; bit < 32 * 8; bit += 1) expect(signer.isOwn(turned(hash, bit), signature)).toBe(false);
  });

  it("does not take another key's signature for its own", () => {
    const hash: Hex = `0x${'11'.repeat(32)}`;
    const other = openSigner(`0x${'07'.repeat(32)}`);
    expect(openSigner(KEY).isOwn(hash, other.sign({ hash }))).toBe(false);
  });

  it.each<[string, Hex]>([
    ['too short', '0x1234'],
    ['zero', `0x${'00'.repeat(32)}`],
    ['not below the order of the curve', `0x${'ff'.repeat(32)}`],
    ['not hex', `0x${'zz'.repeat(32)}`],
  ])('refuses a private key that is %s, without repeating it', (_, key) => {
    for (const curve of [native ?? portableCurve, portableCurve]) {
      expect(() => openSigner(key, curve)).toThrow(/not a private key/);
      expect(() => openSigner(key, curve)).not.toThrow(key.slice(2));
    }
  });

  it('refuses to open on a curve that signs wrongly', () => {
    const broken: Curve = {
      ...portableCurve,
      sign(hash, key) {
        const made = portableCurve.sign(hash, key);
        return { ...made, recovery: 1 - made.recovery };
      },
    };
    expect(() => openSigner(KEY, broken)).toThrow(/does not recover to its own address/);
  });

  it('overwrites its key when it is to forget it, signs nothing after that, and still knows what it signed', () => {
    const held: Uint8Array[] = [];
    const watched: Curve = {
      ...portableCurve,
      sign(hash, privateKey) {
        held.push(privateKey);
        return portableCurve.sign(hash, privateKey);
      },
    };
    const signer = openSigner(KEY, watched);
    const hash: Hex = `0x${'11'.repeat(32)}`;
    const signature = signer.sign({ hash });
    signer.forget();
    expect(held.map((key) => Buffer.from(key).toString('hex'))).toEqual(held.map(() => '00'.repeat(32)));
    expect(() => signer.sign({ hash })).toThrow(expect.objectContaining({ code: 'key_locked' }));
    expect(held).toHaveLength(2);
    expect(signer.isOwn(hash, signature)).toBe(true);
  });
});
