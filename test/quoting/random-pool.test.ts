import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pooledRandom } from '../../electron/quoting/random-pool.ts';

test('pieces are the bytes that were fetched, in order and each once', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 40 }), (sizes) => {
      const fetched: Buffer[] = [];
      const take = pooledRandom((size) => {
        const bytes = randomBytes(size);
        fetched.push(bytes);
        return bytes;
      });
      let searchFrom = 0;
      const all = () => Buffer.concat(fetched);
      for (const size of sizes) {
        const piece = take(size);
        expect(piece.length).toBe(size);
        if (size < 8) continue;
        const at = all().indexOf(piece, searchFrom);
        expect(at).toBeGreaterThanOrEqual(searchFrom);
        searchFrom = at + size;
      }
    }),
    { numRuns: 50 },
  );
});

test('a fetch serves many pieces', () => {
  let fetches = 0;
  const take = pooledRandom((size) => {
    fetches += 1;
    return randomBytes(size);
  });
  for (let piece = 0; piece < 500; piece += 1) take(12);
  expect(fetches).toBe(1);
});
