import fc from 'fast-check';
import { keccak256 } from 'viem';
import { describe, expect, it } from 'vitest';
import { keccak, loadFastKeccak, portableKeccak } from '../../electron/protocol/keccak.ts';

const fast = await loadFastKeccak();

describe('keccak', () => {
  it('is the one in WebAssembly here', () => {
    expect(fast).not.toBe(null);
    expect(keccak).not.toBe(portableKeccak);
  });

  it("equals viem's for any bytes, in whatever order they come, by either implementation", () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 600 }), fc.uint8Array({ minLength: 130, maxLength: 140 }));
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 5 }), (messages) => {
        const expected = messages.map((message) => keccak256(message).slice(2));
        for (const hash of [keccak, fast, portableKeccak])
          expect(messages.map((message) => hash?.(message))).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes the bytes of a buffer that lies in a larger one', () => {
    const large = Buffer.from('behind and before');
    expect(keccak(large.subarray(7, 10))).toBe(keccak256(new TextEncoder().encode('and')).slice(2));
  });
});
