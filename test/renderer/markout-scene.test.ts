import { describe, expect, test } from 'vitest';
import type { Traded } from '../../electron/contract/console/fills.ts';
import { barsOf, brushedSpan, FILL_RANGES, fittedRange } from '../../renderer/pages/fills/fill-ranges.ts';
import { MOST_LINES, markoutScene } from '../../renderer/pages/fills/markout-scene.ts';

const MINUTE = 60_000;
const SIZE = { width: 600, height: 200 };

function traded(marks: Partial<Traded>, fills = 5): Traded {
  return {
    fills,
    volume: '1',
    unit: 'USD',
    unpriced: 0,
    asked: fills,
    signed: fills,
    filled: fills,
    edge: null,
    after10s: null,
    after1m: null,
    after5m: null,
    counts: { edge: fills, after10s: fills, after1m: 0, after5m: 0 },
    ...marks,
  };
}
const row = (key: string, marks: Partial<Traded>) => ({ key, name: key, traded: traded(marks) });
const all = traded({ edge: 20, after10s: 10 }, 12);

describe('the markout curve', () => {
  test('goes through what is known: a moment that has not come yet has no point, and says so with its count', () => {
    const { lines, moments } = markoutScene(
      [row('A', { edge: 30, after10s: 20, after1m: 'not_yet' }), row('B', { edge: -10 })],
      all,
      '',
      SIZE,
    );
    expect(lines.map(({ name, kind, points }) => [name, kind, points.length])).toEqual([
      ['A', 'other', 2],
      ['B', 'other', 1],
      ['All', 'all', 2],
    ]);
    expect(moments.map(({ text, count }) => [text, count])).toEqual([
      ['when quoted', 12],
      ['10 s', 12],
      ['1 min', 0],
      ['5 min', 0],
    ]);
    expect(lines[0]?.points[1]?.said).toBe('A 10 s: +2.0 bps, 5 fills');
    expect(lines[1]?.label).toMatchObject({ text: 'B −1.0', isLoss: true });
  });

  test('a gain lies above a loss and nothing at the zero line', () => {
    const { lines, zero } = markoutScene([row('A', { edge: 30, after10s: 0 }), row('B', { edge: -10 })], all, '', SIZE);
    const [gain, nothing] = lines[0]?.points ?? [];
    expect(gain?.y).toBeLessThan(zero);
    expect(nothing?.y).toBe(zero);
    expect(lines[1]?.points[0]?.y).toBeGreaterThan(zero);
  });

  test('no label lies on another and none leaves the space, however close the lines end', () => {
    const rows = Array.from({ length: MOST_LINES }, (_, index) =>
      row(`P${index}`, { edge: 30, after10s: 30 - (index % 2) }),
    );
    const { lines } = markoutScene(rows, all, '', SIZE);
    const places = lines.map(({ label }) => label.y).sort((a, b) => a - b);
    for (const [index, y] of places.entries()) {
      expect(y).toBeGreaterThanOrEqual(7);
      expect(y).toBeLessThanOrEqual(SIZE.height - 7);
      if (index > 0) expect(y - (places[index - 1] ?? 0)).toBeGreaterThanOrEqual(15);
    }
  });

  test('the chosen one is drawn last and counted, also where it is not among the most traded', () => {
    const rows = Array.from({ length: MOST_LINES + 4 }, (_, index) => row(`P${index}`, { edge: index }));
    const chosen = `P${MOST_LINES + 2}`;
    const { lines, moments } = markoutScene(rows, all, chosen, SIZE);
    expect(lines).toHaveLength(MOST_LINES + 2);
    expect(lines.at(-1)).toMatchObject({ name: chosen, kind: 'chosen' });
    expect(moments[0]?.count).toBe(5);
  });
});

describe('the axis of the fills', () => {
  const [quarter] = FILL_RANGES;
  const now = 1_000 * MINUTE;

  test('holds a young desk’s fills and grows in steps, up to the range that was chosen', () => {
    const shown = (minutes: number) => fittedRange(quarter, { since: now - minutes * MINUTE, now });
    expect(shown(0.5)).toMatchObject({ ms: MINUTE, bucketMs: 1_000, from: now - MINUTE / 2 });
    expect([1.5, 2.5, 4, 6].map((minutes) => shown(minutes).ms / MINUTE)).toEqual([2, 3, 5, 10]);
    expect(shown(11)).toBe(quarter);
    expect(fittedRange(quarter, null)).toBe(quarter);
  });

  test('begins at the first fill and stays there while the clock goes on, up to the bar of now', () => {
    const young = fittedRange(quarter, { since: now, now: now + 40_000 });
    expect(barsOf(young, now + 40_000)).toEqual({ first: now, count: 40 });
    expect(barsOf(young, now + 41_500)).toEqual({ first: now, count: 42 });
    expect(brushedSpan(young, barsOf(young, now + 40_000), 0, 39)).toEqual({ since: now, until: null });
  });

  test('every length is cut into whole bars of whole seconds', () => {
    for (const range of FILL_RANGES) {
      for (let ago = MINUTE / 2; ago < range.ms; ago *= 1.5) {
        const { ms, bucketMs } = fittedRange(range, { since: now - ago, now });
        expect(ms).toBeGreaterThanOrEqual(ago);
        expect([ms % bucketMs, bucketMs % 1_000]).toEqual([0, 0]);
      }
    }
  });
});
