import BigNumber from 'bignumber.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceFormula } from '../../electron/book/price-formula.ts';
import type { Formula } from '../../electron/contract/formula.ts';
import { formulaSchema } from '../../electron/contract/formula.ts';
import { type FormulaInputs, formulaPriceSchema } from '../../electron/contract/formula-prices.ts';
import { howOften } from '../how-often.ts';

const RUNS = howOften(1_000, 40_000);
/** Of the base token. */
const DECIMALS = 8;
// Every sum and product below has an end; only what is divided is cut, and that far behind any digit that counts.
const Big = BigNumber.clone({ DECIMAL_PLACES: 400, EXPONENTIAL_AT: 1_000_000, POW_PRECISION: 0 });
const big = (text: string | number | BigNumber) => new Big(text);

/** `digits` in all, of which up to `places` behind the point. */
const decimal = (most: bigint, places: number) =>
  fc
    .tuple(fc.bigInt({ min: 0n, max: most }), fc.nat(places))
    .map(([n, behind]) => big(n.toString()).shiftedBy(-behind).toFixed());
const aboveZero = (most: bigint, places: number) => decimal(most, places).filter((text) => !/^[0.]*$/.test(text));
const signed = (most: bigint, places: number) =>
  fc
    .tuple(fc.boolean(), decimal(most, places))
    .map(([isBelow, text]) => (isBelow && /[1-9]/.test(text) ? `-${text}` : text));

const side = fc.record(
  {
    size: aboveZero(10_000n, 3),
    levels: fc.integer({ min: 1, max: 6 }),
    stepBps: decimal(200n, 2),
    sizeFactor: aboveZero(30n, 1),
  },
  { requiredKeys: ['size', 'levels', 'stepBps'] },
);
const formulas: fc.Arbitrary<Formula> = fc.record(
  {
    spreadBps: aboveZero(3_000n, 2),
    tick: fc.constantFrom('0.01', '0.1', '0.05', '1', '0.25', '0.00001', '0.0003', '7'),
    bids: side,
    asks: side,
    inventory: fc.record({ target: signed(50n, 1), limit: aboveZero(2_000n, 1), bpsPerUnit: decimal(500n, 3) }),
    volatility: fc.record(
      {
        windowSeconds: fc.integer({ min: 1, max: 900 }),
        calmBps: decimal(100n, 1),
        times: decimal(40n, 1),
        closesAboveBps: decimal(3_000n, 1),
      },
      { requiredKeys: ['windowSeconds', 'calmBps', 'times'] },
    ),
    age: fc.record({ freeSeconds: decimal(50n, 1), bpsPerSecond: decimal(100n, 2) }),
    closesAboveSpreadBps: decimal(5_000n, 0),
  },
  { requiredKeys: ['spreadBps', 'tick', 'bids', 'asks'] },
);
const inputs: fc.Arbitrary<FormulaInputs> = fc.record({
  mid: aboveZero(10n ** 9n, 9),
  ageMs: fc.nat(30_000),
  position: signed(10n ** 6n, 3),
  volatilityBps: decimal(50_000n, 2),
});

/** What a formula gives, by another way: with decimals, price by price, and rounding last. */
function oracle(formula: Formula, { mid, ageMs, position, volatilityBps }: FormulaInputs) {
  const { spreadBps, tick, inventory, volatility, age, closesAboveSpreadBps } = formula;
  const over = (value: BigNumber, free: string, times: string) => Big.max(0, value.minus(free)).times(times);
  const moved = volatility ? over(big(volatilityBps ?? 0), volatility.calmBps, volatility.times) : big(0);
  const old = age ? over(big(ageMs).shiftedBy(-3), age.freeSeconds, age.bpsPerSecond) : big(0);
  const halfWide = big(spreadBps).div(2).plus(moved).plus(old);
  const pull = inventory
    ? big(inventory.target)
        .minus(position ?? 0)
        .times(inventory.bpsPerUnit)
    : big(0);
  const skew = Big.min(halfWide, Big.max(halfWide.negated(), pull));
  const at = (bps: BigNumber) => big(mid).times(big(10_000).plus(bps)).div(10_000);
  const ticks = (price: BigNumber, mode: BigNumber.RoundingMode) => price.div(tick).integerValue(mode).times(tick);
  const bid = ticks(at(skew.minus(halfWide)), Big.ROUND_FLOOR);
  const ask = ticks(at(skew.plus(halfWide)), Big.ROUND_CEIL);
  const rough = big(big(mid).toPrecision(3, Big.ROUND_UP));
  const levels = (of: 'bids' | 'asks', best: BigNumber) => {
    let size = big(formula[of].size).decimalPlaces(DECIMALS, Big.ROUND_DOWN);
    return Array.from({ length: formula[of].levels }, (_, index) => {
      if (index > 0) size = size.times(formula[of].sizeFactor ?? 1).decimalPlaces(DECIMALS, Big.ROUND_DOWN);
      const behind = ticks(rough.times(formula[of].stepBps).times(index).div(10_000), Big.ROUND_CEIL);
      return { price: of === 'bids' ? best.minus(behind) : best.plus(behind), size };
    });
  };
  const isShut =
    (volatility?.closesAboveBps !== undefined && big(volatilityBps ?? 0).gt(volatility.closesAboveBps)) ||
    (closesAboveSpreadBps !== undefined && halfWide.times(2).gt(closesAboveSpreadBps));
  const sides = { bids: levels('bids', bid), asks: levels('asks', ask) };
  const isOpen = {
    bids: !isShut && !(inventory && big(position ?? 0).gte(inventory.limit)),
    asks: !isShut && !(inventory && big(position ?? 0).lte(big(inventory.limit).negated())),
  };
  const served = (of: 'bids' | 'asks') =>
    isOpen[of] && sides[of].every(({ price, size }) => price.gt(0) && size.gt(0))
      ? sides[of].map(({ price, size }) => [price.toFixed(), size.toFixed()])
      : [];
  return { bid, ask, ladder: { bids: served('bids'), asks: served('asks') } };
}

const plain = (levels: readonly (readonly [string, string])[]) =>
  levels.map(([price, size]) => [big(price).toFixed(), size]);
const sum = (texts: readonly string[]) => texts.reduce((so, text) => so.plus(text), big(0)).toFixed();

describe('what a formula gives', () => {
  it('is for any formula and inputs what an independent reckoning gives, level by level, to the tick', () => {
    fc.assert(
      fc.property(formulas, inputs, (formula, given) => {
        const price = priceFormula(formula, given, DECIMALS);
        const expected = oracle(formula, given);
        expect(big(price.total.bid.price).toFixed()).toBe(expected.bid.toFixed());
        expect(big(price.total.ask.price).toFixed()).toBe(expected.ask.toFixed());
        expect({ bids: plain(price.ladder.bids), asks: plain(price.ladder.asks) }).toEqual(expected.ladder);
      }),
      { numRuns: RUNS },
    );
  });

  it('adds up, term by term, to the very prices that are served, in price and in bps', () => {
    fc.assert(
      fc.property(formulas, inputs, (formula, given) => {
        const { terms, total, ladder } = priceFormula(formula, given, DECIMALS);
        for (const of of ['bid', 'ask'] as const) {
          expect(sum(terms.map((term) => term[of].price))).toBe(big(total[of].price).toFixed());
          expect(sum(terms.map((term) => term[of].bps))).toBe(big(total[of].bps).toFixed());
        }
        const best = [ladder.bids[0]?.[0] ?? total.bid.price, ladder.asks[0]?.[0] ?? total.ask.price];
        expect(best.map((text) => big(text).toFixed())).toEqual([total.bid.price, total.ask.price]);
      }),
      { numRuns: howOften(300, 5_000) },
    );
  });

  it('never crosses, never passes the mid, and rounds for the maker', () => {
    fc.assert(
      fc.property(formulas, inputs, (formula, given) => {
        const { terms, total } = priceFormula(formula, given, DECIMALS);
        const [bid, ask, mid] = [big(total.bid.price), big(total.ask.price), big(given.mid)];
        expect(bid.lt(ask) && bid.lte(mid) && ask.gte(mid)).toBe(true);
        const rounding = terms.at(-1);
        expect(big(rounding?.bid.price ?? 1).lte(0) && big(rounding?.ask.price ?? -1).gte(0)).toBe(true);
        expect(bid.mod(formula.tick).isZero() && ask.mod(formula.tick).isZero()).toBe(true);
      }),
      { numRuns: howOften(300, 5_000) },
    );
  });

  it('asks for less and bids less the more the desk has of the base token', () => {
    fc.assert(
      fc.property(formulas, inputs, aboveZero(10_000n, 2), (formula, given, more) => {
        const longer = {
          ...given,
          position: big(given.position ?? 0)
            .plus(more)
            .toFixed(),
        };
        const [before, after] = [given, longer].map((one) => priceFormula(formula, one, DECIMALS).total);
        expect(big(after?.bid.price ?? 0).lte(before?.bid.price ?? 0)).toBe(true);
        expect(big(after?.ask.price ?? 0).lte(before?.ask.price ?? 0)).toBe(true);
      }),
      { numRuns: howOften(300, 5_000) },
    );
  });

  it('is of a form that the console takes, and says what closes and how near that is', () => {
    fc.assert(
      fc.property(formulas, inputs, (formula, given) => {
        expect(formulaSchema.parse(formula)).toEqual(formula);
        const price = priceFormula(formula, given, DECIMALS);
        expect(formulaPriceSchema.parse(price)).toEqual(price);
        const shut = price.closings.filter(({ why }) => why !== null).map(({ closes }) => closes);
        expect(price.ladder.bids.length === 0).toBe(shut.some((what) => what !== 'asks'));
        expect(price.ladder.asks.length === 0).toBe(shut.some((what) => what !== 'bids'));
      }),
      { numRuns: howOften(300, 2_000) },
    );
  });

  it('says in plain figures why the bid is what it is', () => {
    const formula: Formula = {
      spreadBps: '5',
      tick: '0.1',
      bids: { size: '2', levels: 3, stepBps: '1.2', sizeFactor: '2' },
      asks: { size: '2', levels: 2, stepBps: '1.2' },
      inventory: { target: '20', limit: '140', bpsPerUnit: '0.03' },
      volatility: { windowSeconds: 60, calmBps: '2.9', times: '1' },
      age: { freeSeconds: '0.6', bpsPerSecond: '1' },
    };
    const price = priceFormula(formula, { mid: '3411', ageMs: 1_200, position: '38', volatilityBps: '4.3' }, 18);
    expect(price.terms).toEqual([
      { term: 'mid', bid: { bps: '0', price: '3411' }, ask: { bps: '0', price: '3411' } },
      { term: 'spread', bid: { bps: '-2.5', price: '-0.85275' }, ask: { bps: '2.5', price: '0.85275' } },
      { term: 'skew', bid: { bps: '-0.54', price: '-0.184194' }, ask: { bps: '-0.54', price: '-0.184194' } },
      { term: 'volatility', bid: { bps: '-1.4', price: '-0.47754' }, ask: { bps: '1.4', price: '0.47754' } },
      { term: 'age', bid: { bps: '-0.6', price: '-0.20466' }, ask: { bps: '0.6', price: '0.20466' } },
      { term: 'rounding', bid: { bps: '-0.237045', price: '-0.080856' }, ask: { bps: '0.144368', price: '0.049244' } },
    ]);
    expect(price.total).toEqual({
      bid: { bps: '-5.277045', price: '3409.2' },
      ask: { bps: '4.104368', price: '3412.4' },
    });
    expect(price.ladder).toEqual({
      bids: [
        ['3409.2', '2'],
        ['3408.7', '4'],
        ['3408.3', '8'],
      ],
      asks: [
        ['3412.4', '2'],
        ['3412.9', '2'],
      ],
    });
    expect(price.closings).toEqual([
      { by: 'position', closes: 'bids', now: '38', limit: '140', nearPercent: 27, why: null },
      { by: 'position', closes: 'asks', now: '38', limit: '-140', nearPercent: 0, why: null },
    ]);
  });
});
