import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barsOf, brushedSpan, coveredBars, FILL_RANGES } from '../../renderer/pages/fills/fill-ranges.ts';
import { evenSteps, fillAt, priceScene } from '../../renderer/pages/fills/price-scene.ts';

const span = { since: 0, until: 100_000 };
const size = { width: 500, height: 200 };
const fillOf = (time: number, price: string, base: string) => ({
  seq: time,
  quoteSeq: null,
  time,
  side: 'bids' as const,
  price,
  base,
  edge: null,
});

test('everything lies on the canvas, dearer higher, later further right', () => {
  const fills = fc.array(
    fc.record({ time: fc.integer({ min: 0, max: 100_000 }), cents: fc.integer({ min: 1, max: 10_000_000 }) }),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(fills, (made) => {
      const placed = made.map(({ time, cents }) => fillOf(time, `${cents / 100}`, '1'));
      const scene = priceScene({ reference: [], bid: [], ask: [], fills: placed, count: placed.length }, span, size);
      for (const { x, y, fill } of scene.fills) {
        expect(x).toBeCloseTo(fill.time / 200);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(size.height);
      }
      const byPrice = [...scene.fills].sort((a, b) => Number(a.fill.price) - Number(b.fill.price));
      for (const [index, { y }] of byPrice.entries())
        expect(y).toBeLessThanOrEqual((byPrice[index - 1]?.y ?? y) + 1e-9);
    }),
  );
});

test('a line breaks off where there was no price, and a fill is found under the pointer', () => {
  const data = {
    reference: [[0, '10'] as const, [50_000, null] as const, [100_000, '12'] as const],
    bid: [],
    ask: [],
    fills: [fillOf(50_000, '11', '2')],
    count: 1,
  };
  const scene = priceScene(data, span, size);
  expect(scene.reference[1]).toBeNull();
  expect(fillAt(scene, 250, scene.fills[0]?.y ?? 0)?.fill.seq).toBe(50_000);
  expect(fillAt(scene, 10, 10)).toBeNull();
});

test('figures of an axis are round, in order, and within', () => {
  const bound = fc.double({ min: 0.0001, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(bound, bound, (low, width) => {
      const steps = evenSteps(low, low + width, 5);
      expect(steps.length).toBeLessThanOrEqual(7);
      expect(steps.every((step) => step >= low - 1e-9 && step <= low + width + width * 1e-9)).toBe(true);
    }),
  );
});

test('brushing bars and reading the brush back is the same, and the newest bar goes on with the clock', () => {
  const bar = fc.integer({ min: 0, max: 59 });
  fc.assert(
    fc.property(fc.constantFrom(...FILL_RANGES), bar, bar, (range, one, other) => {
      const frame = barsOf(range, Date.UTC(2026, 10, 21, 12, 34, 56));
      const [from, to] = [Math.min(one, other, frame.count - 1), Math.min(Math.max(one, other), frame.count - 1)];
      const brushed = brushedSpan(range, frame, from, to);
      expect(coveredBars(range, frame, brushed)).toEqual([from, to]);
      expect(brushed.until === null).toBe(to === frame.count - 1);
    }),
  );
});
