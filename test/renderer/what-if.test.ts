import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DraftEdit } from '../../electron/contract/book.ts';
import type { Formula } from '../../electron/contract/formula.ts';
import { whatIfSettingsSchema } from '../../electron/contract/what-if.ts';
import { bandScene } from '../../renderer/pages/what-if/band-scene.ts';
import { makeDrafts, NONE_MADE } from '../../renderer/pages/what-if/make-drafts.ts';
import {
  AS_THEY_WERE,
  changesIn,
  NO_CHANGE,
  priceFault,
  priceWords,
  settingsOf,
  triedFormula,
  typedOf,
  typedPriceOf,
  withFormula,
  withPrice,
} from '../../renderer/pages/what-if/typed-settings.ts';
import { isOfChoice, type WhatIfResult, whenText } from '../../renderer/pages/what-if/use-what-if.ts';
import type { Console } from '../../renderer/state/console.tsx';
import { NotConnected } from '../../renderer/state/no-line.ts';
import { CHAIN, configuredBook } from '../book/fixture.ts';
import { howOften } from '../how-often.ts';

const FORMULA: Formula = {
  spreadBps: '4',
  tick: '0.01',
  bids: { size: '1', levels: 3, stepBps: '1' },
  asks: { size: '1', levels: 3, stepBps: '1' },
};
const WETH = { chainId: 1, pair: 'WETH/USDC' };

test('what is typed for all pairs and for one becomes settings, in the order in which it was typed', () => {
  expect(settingsOf(AS_THEY_WERE)).toEqual({});
  const all = withPrice(AS_THEY_WERE, null, { ...NO_CHANGE, wider: '5', sizes: '0.5' });
  const both = withPrice(all, WETH, { ...NO_CHANGE, shift: '−2' });
  expect(settingsOf(both)).toEqual({
    ladders: [
      {
        changes: [
          { kind: 'wider', bps: '5' },
          { kind: 'sizes', factor: '0.5' },
        ],
      },
      { pairs: ['WETH/USDC'], chains: [1], changes: [{ kind: 'shift', bps: '-2' }] },
    ],
  });
  expect(changesIn(both)).toBe(3);
  expect(priceWords(typedPriceOf(both, null))).toBe('5 bps wider, sizes × 0.5');
  expect(settingsOf(withPrice(withPrice(both, WETH, NO_CHANGE), null, NO_CHANGE)), 'nothing typed').toEqual({});
});

test('a formula of a pair is tried until it is left out, and those of other pairs stay', () => {
  const one = withFormula(AS_THEY_WERE, WETH, FORMULA);
  const both = withFormula(one, { chainId: 10, pair: 'DAI/USDC' }, { ...FORMULA, spreadBps: '1' });
  expect(settingsOf(both)).toEqual({
    formulas: { 1: { 'WETH/USDC': FORMULA }, 10: { 'DAI/USDC': { ...FORMULA, spreadBps: '1' } } },
  });
  expect(changesIn(both)).toBe(2);
  expect(triedFormula(both, 10, 'DAI/USDC')?.spreadBps).toBe('1');
  expect(triedFormula(both, 10, 'WETH/USDC')).toBeNull();
  expect(
    settingsOf(withFormula(withFormula(both, WETH, undefined), { chainId: 10, pair: 'DAI/USDC' }, undefined)),
  ).toEqual({});
});

test('a field that means nothing says why, and nothing is asked with it', () => {
  for (const text of ['1e3', 'NaN', '0', '−0', '1001', '5 bps', '-', '1.2.3']) {
    expect(priceFault('wider', text), text).not.toBeNull();
    expect(settingsOf(withPrice(AS_THEY_WERE, null, { ...NO_CHANGE, wider: text })), text).toBeNull();
  }
  for (const text of ['-1', '0', '101']) expect(priceFault('sizes', text), text).not.toBeNull();
  for (const text of ['', ' ', '+5', '−2.5', '-0.1', '1,000']) expect(priceFault('shift', text), text).toBeNull();
});

const change = fc.oneof(
  fc.record({ kind: fc.constantFrom('shift' as const, 'wider' as const), bps: fc.constantFrom('-5', '0.5', '1000') }),
  fc.record({ kind: fc.constant('sizes' as const), factor: fc.constantFrom('0.5', '100') }),
);
const file = fc.record(
  {
    ladders: fc.array(
      fc.record(
        {
          pairs: fc.uniqueArray(fc.constantFrom('WETH/USDC', 'DAI/USDC'), { minLength: 1 }),
          chains: fc.uniqueArray(fc.constantFrom(1, 10), { minLength: 1 }),
          changes: fc.array(change, { minLength: 1, maxLength: 3 }),
        },
        { requiredKeys: ['changes'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    formulas: fc.dictionary(
      fc.constantFrom('1', '10'),
      fc.dictionary(fc.constantFrom('WETH/USDC', 'DAI/USDC'), fc.constant(FORMULA), { minKeys: 1 }),
      { minKeys: 1 },
    ),
    protections: fc.constant([]),
  },
  { requiredKeys: [] },
);

test('settings of any file are asked as they stand in it, also where the form has no fields for them', async () => {
  await fc.assert(
    fc.asyncProperty(file, async (one) => {
      const settings = whatIfSettingsSchema.parse(one);
      expect(settingsOf(typedOf(settings))).toEqual(settings);
    }),
    { numRuns: howOften(200, 5_000) },
  );
});

test('the band has its two ends, what was is a line of its own, and a stop stands on the low end at its time', () => {
  const ends = (was: string, low: string, high: string) => ({ was, low, high });
  const none = ends('0', '0', '0');
  const curve = {
    since: 0,
    until: 1_000,
    points: [
      { edge: ends('1', '-2', '3'), markout: none },
      { edge: ends('2', '-4', '6'), markout: none },
    ],
  };
  const scene = bandScene(curve, 'edge', [500, 5_000], { width: 400, height: 200 });
  expect(scene?.points).toEqual([
    { time: 0, was: 0, band: [0, 0] },
    { time: 500, was: 1, band: [-2, 3] },
    { time: 1_000, was: 2, band: [-4, 6] },
  ]);
  const { plot, stops = [], low = 0, high = 0 } = scene ?? {};
  expect(low).toBeLessThanOrEqual(-4);
  expect(high).toBeGreaterThanOrEqual(6);
  expect(stops.map(({ number }) => number)).toEqual([1, 2]);
  expect(stops[0]?.x).toBeCloseTo(((plot?.left ?? 0) + (plot?.right ?? 0)) / 2);
  expect(stops[1]?.x, 'what is later stands at the end').toBe(plot?.right);
  expect(stops[1]?.y).toBeGreaterThan(stops[0]?.y ?? 0);
  expect(bandScene(curve, 'markout', [], { width: 400, height: 200 })?.moneyTicks.length).toBeLessThan(20);
  expect(bandScene(curve, 'edge', [], { width: 60, height: 200 })).toBeNull();
});

const chosen = { range: 3_600_000, picked: null };
const DAY = Date.UTC(2026, 10, 20);

test('what was priced is of what is chosen while the time is the same one, not only the settings', () => {
  const asked = { since: DAY, until: DAY + 3_600_000, settings: {} };
  expect(isOfChoice(asked, chosen, {})).toBe(true);
  expect(isOfChoice(asked, { ...chosen, range: 24 * 3_600_000 }, {})).toBe(false);
  expect(isOfChoice(asked, chosen, { protections: [] })).toBe(false);
  expect(isOfChoice(asked, chosen, null), 'a field means nothing').toBe(false);
  const picked = { since: DAY, until: DAY + 7_200_000 };
  expect(isOfChoice(asked, { ...chosen, picked }, {})).toBe(false);
  expect(isOfChoice({ ...asked, until: picked.until - 1 }, { ...chosen, picked }, {})).toBe(true);
  expect(isOfChoice(asked, { ...chosen, picked: { since: DAY, until: null } }, {}), 'until it was asked').toBe(true);
});

test('the time that was priced is said as long as its figures stand there, whatever other one is picked', () => {
  const asked = { since: DAY, until: DAY + 3_600_000, settings: {} };
  const result = { asked, end: { until: asked.until } } as unknown as WhatIfResult;
  const now = DAY + 80_000_000;
  const picked = { since: DAY + 7_200_000, until: DAY + 10_800_001 };
  expect(whenText({ ...chosen, picked }, result, now)).toBe(
    'priced: 00:00:00 – 01:00:00 UTC, chosen: 02:00:00 – 03:00:00 UTC',
  );
  const same = { ...chosen, picked: { since: DAY, until: asked.until + 1 } };
  expect(whenText(same, result, now)).toBe('priced: 00:00:00 – 01:00:00 UTC');
  expect(whenText({ ...chosen, picked }, null, now)).toBe('02:00:00 – 03:00:00 UTC');
});

test('before anything is priced the time that is chosen is said, until now, with its day where it is another one', () => {
  expect(whenText(chosen, null, DAY + 7_200_000)).toBe('01:00:00 – 02:00:00 UTC');
  expect(whenText({ ...chosen, range: 24 * 3_600_000 }, null, DAY + 7_200_000)).toBe('19 Nov 02:00:00 – 02:00:00 UTC');
});

test('drafts are made once: a pair that fails stops no other, is made when asked again, and none that has changes is changed', async () => {
  const { book } = await configuredBook();
  let fails: string | null = null;
  let answers = true;
  const ladders = {
    draft: async ({ pair }: { pair: string }) => {
      if (pair === fails) throw new NotConnected();
      return book.draft(CHAIN, pair);
    },
    published: async ({ pair }: { pair: string }) => book.chain(CHAIN)?.pairs.get(pair)?.ladder,
    edit: async ({
      pair,
      edits,
      seen,
      session,
    }: {
      pair: string;
      edits: DraftEdit[];
      seen: number;
      session: string;
    }) => {
      const draft = await book.edit(CHAIN, pair, edits, 'mara', seen, session);
      if (!answers) throw new Error('the line broke');
      return draft;
    },
  };
  const listed = ['WETH/USDC', 'DAI/USDC'].map((pair) => ({ chainId: CHAIN, pair }));
  const shown = { connection: { client: { ladders } }, desk: { view: () => ({ listed, actor: 'mara', pairs: [] }) } };
  const deskConsole = { ...shown, toasts: { show: () => {} } } as unknown as Console;
  const sizes = [{ changes: [{ kind: 'sizes' as const, factor: '0.5' }] }];
  const sizeOf = (pair: string) => book.draft(CHAIN, pair).asks[0]?.amount.value;

  fails = 'WETH/USDC';
  const first = await makeDrafts(deskConsole, sizes, NONE_MADE);
  expect([...first.made]).toEqual([`${CHAIN}:DAI/USDC`]);
  expect(first.refused).toMatchObject([{ pair: { pair: 'WETH/USDC' }, sentence: new NotConnected().message }]);
  fails = null;
  const second = await makeDrafts(deskConsole, sizes, first);
  expect([...second.made]).toEqual([`${CHAIN}:DAI/USDC`, `${CHAIN}:WETH/USDC`]);
  expect(second.refused).toEqual([]);
  expect([sizeOf('WETH/USDC'), sizeOf('DAI/USDC')]).toEqual(['0.5', '500']);

  // Priced again, and pressed again: it is there already, and a level that somebody took out is not overlooked.
  await book.discard(CHAIN, 'DAI/USDC', 'jon');
  await book.edit(CHAIN, 'DAI/USDC', [{ kind: 'remove', side: 'bids', level: 0 }], 'jon');
  const again = await makeDrafts(deskConsole, sizes, NONE_MADE);
  expect(again.refused.map(({ sentence }) => sentence)).toEqual(
    listed.map(() => 'Its draft has changes already: publish or discard them first.'),
  );
  expect([again.made.size, again.doubtful.size]).toEqual([0, 0]);
  expect([sizeOf('WETH/USDC'), sizeOf('DAI/USDC')]).toEqual(['0.5', '1000']);

  // Where the answer was lost it may be there: it is not done over that.
  for (const { pair } of listed) await book.discard(CHAIN, pair, 'mara');
  answers = false;
  const lost = await makeDrafts(deskConsole, sizes, NONE_MADE);
  expect([lost.made.size, lost.doubtful.size, lost.refused.length]).toEqual([0, 2, 2]);
  answers = true;
  await makeDrafts(deskConsole, sizes, lost);
  expect(sizeOf('DAI/USDC')).toBe('500');
});
