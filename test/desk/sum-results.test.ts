import { expect, test } from 'vitest';
import { type ResultBy, type Results, resultsBy } from '../../electron/contract/results.ts';
import { sumResults } from '../../electron/desk/sum-results.ts';
import { noGrowth, noResults, type ResultPart } from '../../electron/journal/results/result-sums.ts';
import { addressOf } from '../journal/sample-events.ts';

const LATER = 1_000_000;
const NOBODY = { chainId: null, pair: null, user: null, counterparty: null };

/** The sums of parts that come in one step; each has one fill more than the one before, and some volume of a hundred. */
async function sumsOf(counts: Record<ResultBy, number>, by?: ResultBy) {
  const part = (by: ResultBy, index: number): ResultPart => ({
    by,
    key: { ...NOBODY, ...keyOf(by, index) },
    sums: { ...noResults(), fills: index + 1, volume: { n: BigInt((index * 37) % 100), d: 1n } },
    growth: [],
  });
  const parts = (['pair', 'user', 'counterparty'] as const).flatMap((by) =>
    Array.from({ length: counts[by] }, (_, index) => part(by, index)),
  );
  const read: Parameters<typeof sumResults>[0] = {
    resultsPart: async ({ steps }) => ({ parts, growth: Array.from({ length: steps.all }, noGrowth), next: null }),
    firstFill: async () => 0,
    costsOfNoFill: async () => [],
  };
  for await (const { result } of sumResults(read, { since: 0, until: LATER, by }, LATER, undefined)) {
    if (result !== null) return result;
  }
  throw new Error('the sums never came');
}

function keyOf(by: ResultBy, index: number) {
  if (by === 'pair') return { chainId: 1, pair: `T${index}/USDC` };
  return by === 'user' ? { user: addressOf(`user ${index}`) } : { counterparty: `solver ${index}` };
}

const counted = ({ rows, more }: Results) => [rows.length, more];

test('a console is sent the rows of the most volume, no more of all kinds together than of one alone', async () => {
  const all = await sumsOf({ pair: 4, user: 5_000, counterparty: 30 });
  expect(counted(resultsBy(all, 'pair'))).toEqual([4, 0]);
  expect(counted(resultsBy(all, 'counterparty'))).toEqual([30, 0]);
  expect(counted(resultsBy(all, 'user'))).toEqual([1_966, 3_034]);
  const many = await sumsOf({ pair: 3_000, user: 5_000, counterparty: 4_000 });
  expect((['pair', 'user', 'counterparty'] as const).map((by) => counted(resultsBy(many, by)))).toEqual([
    [666, 2_334],
    [667, 4_333],
    [667, 3_333],
  ]);
  const alone = await sumsOf({ pair: 4, user: 5_000, counterparty: 0 }, 'user');
  expect(counted(resultsBy(alone, 'user'))).toEqual([2_000, 3_000]);

  const sorted = Array.from({ length: 5_000 }, (_, index) => ({ volume: (index * 37) % 100, fills: index + 1 }))
    .sort((a, b) => b.volume - a.volume || b.fills - a.fills)
    .map(({ fills }) => fills);
  for (const [told, most] of [
    [all, 1_966],
    [alone, 2_000],
  ] as const) {
    expect(resultsBy(told, 'user').rows.map(({ fills }) => fills)).toEqual(sorted.slice(0, most));
  }
});

test('choosing rows gives way to others all the time', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await sumsOf({ pair: 1, user: 20_000, counterparty: 1 });
  isOver = true;
  // A hundred rows a turn: of twenty thousand that are looked at and of two thousand that are written down.
  expect(turns).toBeGreaterThan(200);
});
