import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HmacKey } from '../../electron/protocol/hmac-key.ts';

describe('a key for many HMACs', () => {
  it('gives what Node gives, for secrets and texts of any length, one after another', () => {
    const aSecret = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 60, maxLength: 70 }));
    const aText = fc.tuple(
      fc.string({ unit: 'binary-ascii', maxLength: 200 }),
      fc.oneof(
        fc.uint8Array(),
        fc.integer({ min: 3_900, max: 4_200 }).map((length) => new Uint8Array(length).fill(7)),
      ),
    );
    const property = fc.property(aSecret, fc.array(aText, { maxLength: 4 }), (secret, texts) => {
      const key = new HmacKey(secret);
      for (const [head, body] of texts) {
        const expected = createHmac('sha256', secret).update(head, 'latin1').update(body).digest('hex');
        expect(key.digest(head, body).toString('hex')).toBe(expected);
      }
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});
