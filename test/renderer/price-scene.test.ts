import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barsOf, brushedSpan, coveredBars, FILL_RANGES } from '../../renderer/pages/fills/fill-ranges.ts';
import {
  betweenSteps,
  evenPrices,
  evenSteps,
  keyedSpan,
  markAt,
  priceMarks,
  zoomedSpan,
} from '../../renderer/pages/fills/price-scene.ts';

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
/** A second a pixel, a unit of price ten pixels. */
const place = ({ time, price }: { time: number; price: string }) => ({ x: time / 1_000, y: Number(price) * 10 });

test('a line is drawn at even moments, each price holds until the next one, and it breaks off where there was none', () => {
  const line = [[0, '10'] as const, [25, '11'] as const, [50, null] as const, [100, '12'] as const];
  expect(evenPrices(line, 0, 100, 5)).toEqual(['10', '11', null, null, '12']);
  expect(evenPrices(line, -100, -50, 2)).toEqual([null, null]);
  expect(evenPrices([], 0, 100, 2)).toEqual([null, null]);
});

test('a fill between two steps of the chart lies between them, though the chart places whole steps only', () => {
  const whole = (step: number) => (Number.isInteger(step) ? step * 10 + 4 : 0);
  for (const [step, x] of [
    [0, 4],
    [2.5, 29],
    [-0.25, 1.5],
    [7, 74],
  ] as const)
    expect(betweenSteps(step, whole)).toBe(x);
  expect(betweenSteps(1.5, () => null)).toBeNull();
});

test('every fill in sight has a mark or is counted in one, none twice, and those out of sight have none', () => {
  const fills = fc.array(
    fc.record({
      time: fc.integer({ min: 0, max: 900_000 }),
      price: fc.integer({ min: 1, max: 20 }),
      base: fc.integer({ min: 0, max: 1_000 }),
    }),
  );
  fc.assert(
    fc.property(fills, (made) => {
      const all = made.map(({ time, price, base }) => fillOf(time, `${price}`, `${base}`));
      const marks = priceMarks(all, place, size);
      const inSight = all.filter(({ time }) => time <= 508_000);
      expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(inSight.length);
      for (const { fill, x, y } of marks) expect({ x, y }).toEqual(place(fill));
    }),
  );
});

test('many fills thin out into fewer and smaller marks, and grow apart again where there is more room for each', () => {
  const all = Array.from({ length: 2_000 }, (_, index) => fillOf(index * 250, `${1 + (index % 3)}`, '1'));
  const far = priceMarks(all, place, size);
  expect(far.length).toBeLessThan(500);
  expect(far[0]?.half).toBeLessThan(5);
  const near = priceMarks(all, ({ time, price }) => ({ x: (time - 100_000) / 10, y: Number(price) * 10 }), size);
  expect(near.every(({ count }) => count === 1)).toBe(true);
  expect(near[0]?.half).toBeGreaterThan(7);
});

test('of fills that lie on one another the largest is found under the pointer, with how many there are', () => {
  const marks = priceMarks([fillOf(1_000, '5', '1'), fillOf(1_001, '5', '7'), fillOf(1_002, '5', '2')], place, size);
  expect(markAt(marks, 1, 50)).toMatchObject({ count: 3, fill: { base: '7' } });
  expect(markAt(marks, 100, 50)).toBeNull();
});

test('what a hand zooms or moves to stays within what there is, and at its end goes on with the clock', () => {
  const all = { since: 1_000_000, until: 2_000_000 };
  expect(zoomedSpan({ since: 0, until: 3_000_000 }, all)).toBeNull();
  expect(zoomedSpan({ since: 1_200_000, until: 1_400_000 }, all)).toEqual({ since: 1_200_000, until: 1_400_000 });
  expect(zoomedSpan({ since: 900_000, until: 1_100_000 }, all)).toEqual({ since: 1_000_000, until: 1_200_000 });
  expect(zoomedSpan({ since: 1_900_000, until: 2_100_000 }, all)).toEqual({ since: 1_800_000, until: null });
  expect(zoomedSpan({ since: 1_500_000, until: 1_500_001 }, all)).toEqual({ since: 1_500_000, until: 1_510_000 });
});

test('arrow keys move the span by a tenth, + and − undo each other, and any other key leaves it alone', () => {
  const span = { since: 1_000_000, until: 2_000_000 };
  expect(keyedSpan(span, 'ArrowLeft')).toEqual({ since: 900_000, until: 1_900_000 });
  expect(keyedSpan(span, 'ArrowRight')).toEqual({ since: 1_100_000, until: 2_100_000 });
  const near = { since: 1_100_000, until: 1_900_000 };
  expect(keyedSpan(span, '+')).toEqual(near);
  expect(keyedSpan(near, '-')).toEqual(span);
  for (const key of ['a', 'Enter', 'ArrowUp', 'Escape']) expect(keyedSpan(span, key)).toBeNull();
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
