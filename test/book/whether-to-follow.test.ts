import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followLadder } from '../../electron/book/whether-to-follow.ts';
import type { Followed } from '../../electron/contract/book.ts';
import type { Ladder } from '../../electron/contract/desk-file.ts';
import { ladderFaults } from '../../electron/protocol/ladder-faults.ts';

const LADDER: Ladder = {
  bids: [
    ['3410.25', '1'],
    ['3409.5', '2'],
  ],
  asks: [
    ['3414.25', '1'],
    ['3415.0', '2'],
  ],
};

/** Ticks of a price: an oracle that knows nothing of rationals. */
const ticks = (price: string, places: number) => {
  const [whole = '', fraction = ''] = price.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
};

function written(value: bigint, places: number): string {
  const digits = `${value}`.padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** A sound ladder around `middle` ticks, with room below it. */
const ladders = fc
  .record({
    places: fc.integer({ min: 0, max: 8 }),
    middle: fc.bigInt({ min: 1_000_000n, max: 1_000_000_000n }),
    half: fc.bigInt({ min: 1n, max: 1_000n }),
    bidSteps: fc.array(fc.bigInt({ min: 0n, max: 500n }), { maxLength: 5 }),
    askSteps: fc.array(fc.bigInt({ min: 0n, max: 500n }), { maxLength: 5 }),
  })
  .map(({ places, middle, half, bidSteps, askSteps }) => {
    const side = (best: bigint, steps: bigint[], sign: bigint) => {
      let price = best;
      return [best, ...steps.map((step) => (price += sign * step))].map((at): [string, string] => [
        written(at, places),
        '1',
      ]);
    };
    const ladder: Ladder = { bids: side(middle - half, bidSteps, -1n), asks: side(middle + half, askSteps, 1n) };
    return { ladder, places, middle };
  });

describe('a ladder that follows the reference', () => {
  it('keeps the shape that was published and puts its middle on the mid, bids rounded down and asks up', () => {
    const step = followLadder(LADDER, undefined, '3420.123');
    // From 3412.25 to 3420.123 is 7.873: 7.87 for the bids, 7.88 for the asks.
    expect(step).toEqual({
      kind: 'move',
      ladder: {
        bids: [
          ['3418.12', '1'],
          ['3417.37', '2'],
        ],
        asks: [
          ['3422.13', '1'],
          ['3422.88', '2'],
        ],
      },
      followed: { mid: '3420.123', bids: '7.87', asks: '7.88' },
    });
  });

  it.each([
    ['less than a basis point', '3412.5'],
    ['less than a tenth of its spread', '3411.9'],
    ['nothing at all', '3412.25'],
  ])('stands still when the reference moves by %s', (_what, mid) => {
    expect(followLadder(LADDER, undefined, mid)).toEqual({ kind: 'still' });
  });

  it('moves as soon as the reference is past its bid or its ask, however tight it is', () => {
    const tight: Ladder = { bids: [['0.99999', '1']], asks: [['1.00001', '1']] };
    expect(followLadder(tight, undefined, '1.00001')).toEqual({ kind: 'still' });
    const step = followLadder(tight, undefined, '1.000011');
    expect(step).toMatchObject({ kind: 'move', ladder: { bids: [['1.00000', '1']], asks: [['1.00003', '1']] } });
  });

  it('is not moved to a mid that is more than a tenth away, nor to zero, nor without both sides', () => {
    expect(followLadder(LADDER, undefined, '34122.5')).toMatchObject({
      kind: 'held',
      sentence: expect.stringMatching(/10 %/),
    });
    expect(followLadder(LADDER, undefined, '3000')).toMatchObject({ kind: 'held' });
    const deep: Ladder = {
      bids: [
        ['100', '1'],
        ['2', '1'],
      ],
      asks: [['101', '1']],
    };
    expect(followLadder(deep, undefined, '95')).toMatchObject({
      kind: 'held',
      sentence: expect.stringMatching(/zero or below/),
    });
    expect(followLadder({ bids: LADDER.bids, asks: [] }, undefined, '3420')).toMatchObject({ kind: 'held' });
  });

  it('over any walk of the reference is never crossed, never off its shape by more than a tick, and never drifts', () => {
    const walks = fc.array(fc.integer({ min: -90, max: 90 }), { minLength: 1, maxLength: 40 });
    const check = ({ ladder, places, middle }: { ladder: Ladder; places: number; middle: bigint }, walk: number[]) => {
      const finer = places + 4;
      let mid = middle * 10_000n;
      let now: { ladder: Ladder; followed?: Followed } = { ladder };
      for (const permille of walk) {
        mid += (mid * BigInt(permille)) / 1_000n;
        const step = followLadder(now.ladder, now.followed, written(mid, finer));
        if (step.kind !== 'move') continue;
        now = step;
        expect(ladderFaults(now.ladder)).toEqual([]);
        const moved = (side: 'bids' | 'asks') =>
          now.ladder[side].map(
            ([price], index) => ticks(price, places) - ticks(ladder[side][index]?.[0] ?? '', places),
          );
        const [bids, asks] = [moved('bids'), moved('asks')];
        // Every level of a side moved by the same: the shape is the published one.
        expect(new Set(bids).size).toBe(1);
        expect(new Set(asks).size).toBe(1);
        const exact = mid - middle * 10_000n; // in ten-thousandths of a tick, when the published middle is whole
        const [down, up] = [(bids[0] ?? 0n) * 10_000n, (asks[0] ?? 0n) * 10_000n];
        expect(down <= exact && exact - down < 10_000n).toBe(true);
        expect(up >= exact && up - exact < 10_000n).toBe(true);
      }
    };
    fc.assert(fc.property(ladders, walks, check), { numRuns: 300 });
  });
});
