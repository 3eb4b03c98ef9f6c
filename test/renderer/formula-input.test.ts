import { expect, test } from 'vitest';
import type { Formula } from '../../electron/contract/formula.ts';
import type { TriedFormula } from '../../electron/contract/formula-prices.ts';
import { type Figure, readFormula, typedOf } from '../../renderer/pages/pricing/formula-input.ts';
import { isOutcomeOf, outcomeAfter } from '../../renderer/pages/pricing/tried-outcome.ts';

const NOTHING = { spreadTenthBps: null, bestBid: null, bestBidAmount: null, bestAskAmount: null };
const FORMULA: Formula = {
  spreadBps: '5',
  tick: '0.1',
  bids: { size: '2', levels: 10, stepBps: '1.2', sizeFactor: '1.5' },
  asks: { size: '3', levels: 9, stepBps: '1' },
  inventory: { target: '-20', limit: '140', bpsPerUnit: '0.03' },
  volatility: { windowSeconds: 60, calmBps: '2.9', times: '1', closesAboveBps: '25' },
  age: { freeSeconds: '0.6', bpsPerSecond: '1' },
  closesAboveSpreadBps: '40',
};
const typedWith = (figures: Partial<Record<Figure, string>>) => {
  const typed = typedOf(FORMULA, NOTHING);
  return readFormula({ ...typed, figures: { ...typed.figures, ...figures } });
};
const faultOf = (path: Figure, text: string) => {
  const read = typedWith({ [path]: text });
  return 'faults' in read ? read.faults.find((fault) => fault.path === path)?.message : undefined;
};

test('a formula that nobody changed in its form is the same formula, whatever of it is left out', () => {
  expect(readFormula(typedOf(FORMULA, NOTHING))).toEqual({ formula: FORMULA });
  const { spreadBps, tick, bids, asks } = FORMULA;
  const least = { spreadBps, tick, bids, asks };
  expect(readFormula(typedOf(least, NOTHING))).toEqual({ formula: least });
  const typed = typedOf(FORMULA, NOTHING);
  const off = { inventory: false, volatility: false, age: false };
  expect(readFormula({ ...typed, parts: off })).toEqual({ formula: { ...least, closesAboveSpreadBps: '40' } });
});

test('numbers are typed as everywhere else, and a target may be below zero', () => {
  expect(typedWith({ 'bids.size': '1,250.50', 'inventory.target': '−5', tick: '.5' })).toMatchObject({
    formula: { bids: { size: '1250.50' }, inventory: { target: '-5' }, tick: '0.5' },
  });
});

test('what is no figure is named with its place, before the desk is asked', () => {
  expect(faultOf('spreadBps', '')).toBe('is missing');
  expect(faultOf('spreadBps', '0')).toBe('must be above zero');
  expect(faultOf('spreadBps', '1e1')).toBe('must be written out, without an exponent');
  expect(faultOf('spreadBps', 'NaN')).toBe('must be a number');
  expect(faultOf('tick', '-1')).toBe('must not be negative');
  expect(faultOf('asks.levels', '10,000')).toBe('must be a whole number from 1 to 200');
  expect(faultOf('bids.stepBps', '5001')).toBe('must be at most 5,000 bps');
  expect(faultOf('volatility.windowSeconds', '0')).toBe('must be a whole number from 1 to 900');
  expect(faultOf('inventory.limit', `1.${'1'.repeat(19)}`)).toContain('at most 18 digits');
});

test('the form of a pair without a formula begins with what is live', () => {
  const live = { spreadTenthBps: 46, bestBid: '3411.40', bestBidAmount: '2.5', bestAskAmount: '2' };
  expect(readFormula(typedOf(null, live))).toMatchObject({
    formula: { spreadBps: '4.6', tick: '0.01', bids: { size: '2.5' }, asks: { size: '2' } },
  });
  expect(readFormula(typedOf(null, NOTHING))).toMatchObject({
    faults: [{ path: 'bids.size' }, { path: 'asks.size' }],
  });
});

test('prices stand beside their own formula alone: what the desk said of the one before is not what another one gives', () => {
  const said: TriedFormula = { why: 'the pair has no reference', now: null, closings: [] };
  const known = outcomeAfter(null, FORMULA, said);
  expect(isOutcomeOf(known, { ...FORMULA })).toBe(true);
  const wider: Formula = { ...FORMULA, spreadBps: '50' };
  expect(isOutcomeOf(known, wider)).toBe(false);
  expect(outcomeAfter(known, wider, undefined), 'what was known stays in view').toBe(known);
  const reading: TriedFormula = { why: null, now: null, closings: [] };
  expect(outcomeAfter(known, FORMULA, reading), 'its position is read anew').toBe(known);
  expect(isOutcomeOf(outcomeAfter(known, wider, reading), wider)).toBe(false);
  expect(isOutcomeOf(outcomeAfter(known, wider, { ...said }), wider)).toBe(true);
  expect(isOutcomeOf(known, null)).toBe(false);
});
