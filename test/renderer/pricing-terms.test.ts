import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceFormula } from '../../electron/book/price-formula.ts';
import type { PairRow } from '../../electron/contract/book.ts';
import type { Formula } from '../../electron/contract/formula.ts';
import type { FormulaInputs } from '../../electron/contract/formula-prices.ts';
import { tabMark } from '../../renderer/pages/prices/pair-tabs.tsx';
import {
  changesOf,
  closedBy,
  closingFigure,
  figureText,
  notQuoted,
  opensAgain,
} from '../../renderer/pages/pricing/pricing-words.ts';
import { explained, type PriceSide, type ShownTerms, shownTerms } from '../../renderer/pages/pricing/terms.ts';
import type { DeskView } from '../../renderer/state/live-desk.ts';
import { howOften } from '../how-often.ts';

const FORMULA: Formula = {
  spreadBps: '5',
  tick: '0.1',
  bids: { size: '2', levels: 3, stepBps: '1.2' },
  asks: { size: '2', levels: 3, stepBps: '1.2' },
  inventory: { target: '20', limit: '140', bpsPerUnit: '0.03' },
  age: { freeSeconds: '0.6', bpsPerSecond: '1' },
};
const INPUTS: FormulaInputs = { mid: '3411', ageMs: 1_200, position: '38', volatilityBps: null };

const shownOf = (formula: Formula, inputs: FormulaInputs) => ({ formula, price: priceFormula(formula, inputs, 18) });

/** What a figure of the screen says, in units of its last digit of four. */
function read(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('+', '').replace('−', '-').replaceAll(',', '').split('.');
  const digits = BigInt(`${whole.replace('-', '')}${fraction.padEnd(12, '0')}`);
  return whole.startsWith('-') ? -digits : digits;
}

function sumOf({ rows }: ShownTerms, side: PriceSide, of: 'price' | 'bps'): bigint {
  return rows.reduce((sum, row) => sum + read(row[side]?.[of] || '0'), 0n);
}

test('a price is told term by term: what each adds, in words that add up to it, and whether it widens', () => {
  const shown = shownTerms(shownOf(FORMULA, INPUTS), 0);
  expect(shown.rows.map(({ term, bid, ask }) => [term, bid?.bps, bid?.price, ask?.price, ask?.bps])).toEqual([
    ['mid', '', '3,411.00', '3,411.00', ''],
    ['spread', '−2.50', '−0.85', '+0.85', '+2.50'],
    ['skew', '−0.54', '−0.19', '−0.18', '−0.54'],
    ['volatility', '0.00', '0.00', '0.00', '0.00'],
    ['age', '−0.60', '−0.20', '+0.20', '+0.60'],
    ['rounding', '−0.17', '−0.06', '+0.03', '+0.08'],
  ]);
  expect(shown.total).toMatchObject({
    bid: { price: '3,409.7', bps: '−3.81' },
    ask: { price: '3,411.9', bps: '+2.64' },
  });
  expect(shown.spread).toEqual({ price: '2.2', bps: '6.4' });
  expect(shown.rows.map(({ bid, ask }) => [bid?.widens, ask?.widens])).toEqual([
    [null, null],
    [true, true],
    [true, false],
    [null, null],
    [true, true],
    [true, true],
  ]);
});

test('behind the best price stands what the steps to a level add; a level that a side has not is none', () => {
  const shown = shownTerms(shownOf({ ...FORMULA, asks: { ...FORMULA.asks, levels: 1 } }, INPUTS), 2);
  expect(shown.rows.at(-1)).toMatchObject({ term: 'steps', bid: { price: '−0.90', bps: '−2.64' }, ask: null });
  expect(shown.total).toMatchObject({ bid: { price: '3,408.8' }, ask: null });
  const closed = shownOf(FORMULA, { ...INPUTS, position: '140' });
  expect(shownTerms(closed, 0).total).toMatchObject({ bid: { isClosed: true }, ask: { isClosed: false } });
});

test('whatever the formula, each column of the screen adds up to the price and to its distance from the mid', () => {
  const figure = (most: number, places: number) =>
    fc.integer({ min: 1, max: most * 10 ** places }).map((digits) => (digits / 10 ** places).toFixed(places));
  const side = fc.record({ size: fc.constant('2'), levels: fc.integer({ min: 1, max: 4 }), stepBps: figure(20, 2) });
  const formulas = fc.record({
    spreadBps: figure(90, 3),
    tick: fc.constantFrom('0.1', '0.01', '1', '0.00005'),
    bids: side,
    asks: side,
    inventory: fc.record({ target: fc.constant('3'), limit: fc.constant('500'), bpsPerUnit: figure(1, 4) }),
    age: fc.record({ freeSeconds: fc.constant('0.5'), bpsPerSecond: figure(5, 2) }),
  });
  const inputs = fc.record({
    mid: figure(4_000, 5).map((mid) => `${mid}7`),
    ageMs: fc.integer({ min: 0, max: 30_000 }),
    position: fc.integer({ min: -400_000, max: 400_000 }).map((thousandths) => (thousandths / 1_000).toFixed(3)),
    volatilityBps: fc.constant(null),
  });
  const adds = fc.property(formulas, inputs, fc.integer({ min: 0, max: 3 }), (formula, given, level) => {
    const shown = shownTerms(shownOf(formula, given), level);
    for (const of of ['bid', 'ask'] as const) {
      const total = shown.total[of];
      if (total === null) continue;
      expect(sumOf(shown, of, 'price')).toBe(read(total.price));
      expect(sumOf(shown, of, 'bps')).toBe(read(total.bps));
      expect([total.at > 0, total.at < 1]).toEqual([true, true]);
    }
  });
  fc.assert(adds, { numRuns: howOften(300, 20_000) });
});

describe('of what stands there', () => {
  const [now, before] = [priceFormula(FORMULA, INPUTS, 18), priceFormula(FORMULA, { ...INPUTS, mid: '3400' }, 18)];
  const best = (price: typeof now) => ({
    bestBid: `${price.total.bid.price}00`,
    bestAsk: price.total.ask.price,
  });

  const row = { formula: FORMULA, pricedBy: 'formula' } as const;
  const older = { ...FORMULA, spreadBps: '6' };
  const served = { revision: 7, time: 1, formula: older, price: before };

  test('it is what the formula gives now where that is live, else what the last revision was made of, by the formula of then', () => {
    expect(explained({ ...row, now, served }, { ...best(now), publishedBy: 'formula' })).toEqual({
      of: 'live',
      priced: { formula: FORMULA, price: now },
      revision: null,
    });
    const left = { ...best(before), publishedBy: 'formula' };
    expect(explained({ ...row, now, served }, left)).toMatchObject({ of: 'live', priced: served, revision: 7 });
    expect(explained({ ...row, now: null, served }, left)).toMatchObject({ revision: 7 });
  });

  test('a pair that its formula closes is told as it is now, one in a hand as it was left', () => {
    const closed = priceFormula({ ...FORMULA, closesAboveSpreadBps: '1' }, INPUTS, 18);
    const left = { ...best(before), publishedBy: 'formula' };
    expect(explained({ ...row, now: closed, served }, left)).toMatchObject({ of: 'now', priced: { price: closed } });
    expect(explained({ ...row, pricedBy: 'hand', now: closed, served }, left)).toMatchObject({
      of: 'live',
      revision: 7,
    });
  });

  test('a person’s ladder is not explained by it: then it is what the formula would give, or nothing', () => {
    expect(explained({ ...row, now, served }, { ...best(before), publishedBy: 'mara' })).toMatchObject({ of: 'now' });
    const none = { bestBid: null, bestAsk: null, publishedBy: 'mara' };
    expect(explained({ ...row, now: null, served: null }, none)).toEqual({ of: 'nothing' });
  });
});

test('figures are cut where nobody reads on, and a small rate is not told as nothing', () => {
  expect(['12.345678901234567891', '5000', '1.20', '0.00000042', '-2.25'].map((exact) => figureText(exact))).toEqual([
    '12.3456',
    '5,000',
    '1.2',
    '0.00000042',
    '−2.25',
  ]);
  expect([figureText('1.43', 1), figureText('2', 1)], 'what moves keeps its decimals').toEqual(['1.4', '2.0']);
  const closing = { by: 'age', closes: 'pair', now: null, limit: null, nearPercent: 0, why: null } as const;
  expect([closingFigure(closing, '1.987'), closingFigure(closing, null)]).toEqual(['2.0\u00a0s', '—']);
  expect(closingFigure({ ...closing, by: 'position' }, '-140')).toBe('−140');
});

test('what a formula closes is the pair before one of its sides, and nothing while it prices both', () => {
  const open = { by: 'spread', closes: 'pair', now: '4', limit: '40', nearPercent: 10, why: null } as const;
  const held = { by: 'position', closes: 'bids', now: '9', limit: '9', nearPercent: 100, why: 'it holds 9' } as const;
  expect(closedBy({ why: null, closings: [open] })).toBeNull();
  expect(closedBy({ why: null, closings: [held, open] })).toEqual({ closes: 'bids', why: 'it holds 9' });
  expect(closedBy({ why: 'its reference is old', closings: [held, open] })).toEqual({
    closes: 'pair',
    why: 'its reference is old',
  });
});

test('what a formula closes opens by itself, but where its own spread is over the limit or its sizes come to nothing', () => {
  const again = (closes: 'pair' | 'bids' | 'asks', formula: Formula, inputs = INPUTS, places = 18) =>
    opensAgain(closes, formula, priceFormula(formula, inputs, places).closings);
  const stays = 'It stays closed until the formula is changed.';
  expect(again('pair', { ...FORMULA, closesAboveSpreadBps: '5' }), 'only its age is over').toBe(
    'It opens by itself once that is over.',
  );
  expect(again('pair', { ...FORMULA, closesAboveSpreadBps: '4.9' })).toBe(stays);
  expect(again('pair', { ...FORMULA, closesAboveSpreadBps: '4.9', age: undefined })).toBe(stays);
  const held = { ...INPUTS, position: '140' };
  expect(again('bids', FORMULA, held)).toBe('They open by themselves once that is over.');
  const nothing = { ...FORMULA, asks: { ...FORMULA.asks, size: '0.1' } };
  expect(again('asks', nothing, INPUTS, 0)).toBe('They stay closed until the formula is changed.');
  const low = { ...FORMULA, bids: { ...FORMULA.bids, stepBps: '6000' } };
  expect([again('bids', low), again('pair', low)], 'nobody knows').toEqual(['', '']);
});

test('what is not quoted of a pair is named by its side; what a person switched off is marked as nothing that is wrong', () => {
  const row = { fault: null, retiredUntil: null, switches: { pair: true, bids: true, asks: true } };
  expect(notQuoted(row)).toBeNull();
  const off = { ...row, switches: { ...row.switches, bids: false }, unquoted: { bids: 'It is off.', asks: null } };
  expect(notQuoted(off)).toEqual({ word: 'bids off', shape: 'drain', tone: 'quiet' });
  const hindered = { ...row, unquoted: { bids: null, asks: 'There is no cover.' } };
  expect(notQuoted(hindered)).toEqual({ word: 'asks off', shape: 'drain', tone: 'attn' });
  expect(notQuoted({ ...row, closedWhy: 'Closed.' })).toMatchObject({ word: 'not quoted', tone: 'stop' });
  expect(notQuoted({ ...row, retiredUntil: 9 })).toMatchObject({ word: 'not quoted', tone: 'quiet' });
  expect(notQuoted({ ...row, fault: 'no token' })).toMatchObject({ shape: 'refused', tone: 'stop' });
});

test('a tab marks the pair that stands out: while its whole chain quotes nothing, only one that is set apart does', () => {
  const row = { chainId: 1, pair: 'WETH/USDC', fault: null, retiredUntil: null };
  const all = { pair: true, bids: true, asks: true };
  const [off, halted] = ['The pair is off.', 'The desk is halted.'].map((why) => ({ bids: why, asks: why }));
  const marked = (own: Partial<PairRow>, state: 'LIVE' | 'HALTED' | 'CLOSED' = 'LIVE') => {
    const pairs = [{ ...row, switches: all, ...own }];
    return tabMark({ pairs, status: { chains: [{ chainId: 1, state }] } } as unknown as DeskView, row);
  };
  expect(marked({})).toBeNull();
  expect(marked({ switches: { ...all, pair: false }, unquoted: off })).toEqual({
    shape: 'off',
    tone: 'quiet',
    why: 'The pair is off.',
  });
  expect(marked({ closedWhy: 'Its prices are old.' })).toMatchObject({ tone: 'stop', why: 'Its prices are old.' });
  expect([marked({ unquoted: halted }, 'HALTED'), marked({ unquoted: halted }, 'CLOSED')]).toEqual([null, null]);
  expect(marked({ fault: 'no token' }, 'HALTED')).toMatchObject({ shape: 'refused', why: 'Set aside: no token.' });
});

test('what a formula changes is told part by part, and what was not there as none', () => {
  const { age: _, ...without } = FORMULA;
  expect(changesOf(FORMULA, { ...without, spreadBps: '6' }, 'WETH')).toEqual([
    { part: 'Spread', before: '5 bps', after: '6 bps' },
    { part: 'Age', before: '1 bps a second over 0.6 s', after: null },
  ]);
  expect(changesOf(FORMULA, FORMULA, 'WETH')).toEqual([]);
  expect(changesOf(null, FORMULA, 'WETH')[0]).toEqual({ part: 'Spread', before: null, after: '5 bps' });
});
