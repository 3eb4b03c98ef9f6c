import type { Formula, FormulaSide } from '../contract/formula.ts';
import type {
  FormulaClosing,
  FormulaInputs,
  FormulaPrice,
  FormulaTerm,
  TermShare,
} from '../contract/formula-prices.ts';
import { withPlaces } from '../journal/book/ladder-move.ts';
import {
  add,
  ceil,
  compare,
  digitsBehind,
  div,
  floor,
  formatDecimal,
  fromRaw,
  mul,
  parseSigned,
  type Rational,
  sub,
  WHOLE_BPS,
} from '../protocol/decimal.ts';
import type { Side } from '../protocol/side.ts';
import type { Level } from '../protocol/wire.ts';

const NONE: Rational = { n: 0n, d: 1n };
const ONE: Rational = { n: 1n, d: 1n };
const TEN: Rational = { n: 10n, d: 1n };
const HALF: Rational = { n: 5n, d: 10n };
const PERCENT: Rational = { n: 100n, d: 1n };
const THOUSAND: Rational = { n: 1_000n, d: 1n };
/** A basis point as a part of a price. */
const BPS: Rational = { n: 1n, d: WHOLE_BPS };
/** What rounding comes to in bps has no end: so many places of it are told, rounded down. */
const BPS_PLACES = 6;

/**
 * What a formula gives for these inputs: the ladder, and the terms that its best prices are made of. Exact to the tick, bids rounded
 * down and asks up. The steps between levels are worked out of the mid rounded up to three digits, so that a ladder mostly moves
 * as it is, and the journal needs only its best prices. `amountPlaces`: sizes are cut to so many digits behind the point.
 */
export function priceFormula(formula: Formula, inputs: FormulaInputs, amountPlaces: number): FormulaPrice {
  const mid = parseSigned(inputs.mid);
  const { bps, skewAsked } = sharesOf(formula, inputs);
  const tick = parseSigned(formula.tick);
  const exact = { bids: priceAt(mid, total(bps, 'bids')), asks: priceAt(mid, total(bps, 'asks')) };
  const best = { bids: toTick(exact.bids, tick, floor), asks: toTick(exact.asks, tick, ceil) };
  const spread = sub(total(bps, 'asks'), total(bps, 'bids'));
  const made = {
    bids: levelsOf(formula, 'bids', { best: best.bids, mid, amountPlaces }),
    asks: levelsOf(formula, 'asks', { best: best.asks, mid, amountPlaces }),
  };
  const closings = closingsOf(formula, inputs, spread, made);
  const isOpen = (side: Side) => !closings.some(({ closes, why }) => why !== null && closes !== other(side));

  const share = (side: Side, term: Exclude<FormulaTerm, 'rounding'>): TermShare => {
    const part = bps[side][term];
    return { bps: exactText(part), price: exactText(term === 'mid' ? mid : mul(mul(mid, part), BPS)) };
  };
  const rounding = (side: Side): TermShare => {
    const by = sub(best[side], exact[side]);
    return { bps: formatDecimal(div(div(by, mid), BPS), BPS_PLACES, 'floor'), price: exactText(by) };
  };
  const terms: FormulaPrice['terms'] = [
    ...TERMS.map((term) => ({ term, bid: share('bids', term), ask: share('asks', term) })),
    { term: 'rounding', bid: rounding('bids'), ask: rounding('asks') },
  ];
  const sum = (of: 'bid' | 'ask', side: Side): TermShare => {
    const all = terms.reduce((so, term) => add(so, parseSigned(term[of].bps)), NONE);
    return { bps: exactText(all), price: exactText(best[side]) };
  };
  return {
    inputs,
    terms,
    total: { bid: sum('bid', 'bids'), ask: sum('ask', 'asks') },
    skewAskedBps: skewAsked === null ? null : exactText(skewAsked),
    ladder: { bids: isOpen('bids') ? made.bids.levels : [], asks: isOpen('asks') ? made.asks.levels : [] },
    closings,
  };
}

/** Why the pair is quoted on neither side, the end of a sentence; null where one is. */
export function whyClosed({ ladder, closings }: FormulaPrice): string | null {
  if (ladder.bids.length + ladder.asks.length > 0) return null;
  const whys = closings.flatMap(({ why }) => why ?? []);
  return [...new Set(whys)].join(', and ');
}

/** The terms that are worked out in bps, in their order. */
const TERMS = ['mid', 'spread', 'skew', 'volatility', 'age'] as const;
type Shares = Record<(typeof TERMS)[number], Rational>;

/** What each term adds to each side, bps of the mid; and the skew that was asked for, where the mid lets less of it through. */
function sharesOf(
  { spreadBps, inventory, volatility, age }: Formula,
  { ageMs, position, volatilityBps }: FormulaInputs,
): { bps: Record<Side, Shares>; skewAsked: Rational | null } {
  const half = mul(parseSigned(spreadBps), HALF);
  const over = (value: Rational, free: string, times: string) => {
    const above = sub(value, parseSigned(free));
    return above.n > 0n ? mul(above, parseSigned(times)) : NONE;
  };
  const moved = volatility === undefined ? NONE : over(given(volatilityBps), volatility.calmBps, volatility.times);
  const seconds: Rational = { n: BigInt(ageMs), d: 1_000n };
  const aged = age === undefined ? NONE : over(seconds, age.freeSeconds, age.bpsPerSecond);
  const room = add(half, add(moved, aged));
  const asked =
    inventory === undefined
      ? NONE
      : mul(sub(parseSigned(inventory.target), given(position)), parseSigned(inventory.bpsPerUnit));
  const skew = compare(asked, room) > 0 ? room : compare(asked, minus(room)) < 0 ? minus(room) : asked;
  return {
    bps: {
      bids: { mid: NONE, spread: minus(half), skew, volatility: minus(moved), age: minus(aged) },
      asks: { mid: NONE, spread: half, skew, volatility: moved, age: aged },
    },
    skewAsked: compare(skew, asked) === 0 ? null : asked,
  };
}

function total(bps: Record<Side, Shares>, side: Side): Rational {
  return TERMS.reduce((sum, term) => add(sum, bps[side][term]), NONE);
}

interface MadeSide {
  readonly levels: Level[];
  /** Why it has none, the end of a sentence. */
  readonly why: string | null;
}

function levelsOf(
  formula: Formula,
  side: Side,
  { best, mid, amountPlaces }: { best: Rational; mid: Rational; amountPlaces: number },
): MadeSide {
  const { stepBps } = formula[side];
  const tick = parseSigned(formula.tick);
  const places = digitsBehind(formula.tick);
  const step = mul(mul(upToThreeDigits(mid), parseSigned(stepBps)), BPS);
  const sizes = sizesOf(formula[side], amountPlaces);
  const levels: Level[] = [];
  for (const [index, size] of sizes.entries()) {
    const behind = toTick({ n: step.n * BigInt(index), d: step.d }, tick, ceil);
    const price = side === 'bids' ? sub(best, behind) : add(best, behind);
    if (price.n <= 0n) return { levels: [], why: `level ${index + 1} of its ${side} would not be above zero` };
    if (size === 0n) return { levels: [], why: `the size of level ${index + 1} of its ${side} would be zero` };
    levels.push([
      withPlaces(floor({ n: price.n * 10n ** BigInt(places), d: price.d }), places),
      fromRaw(size, amountPlaces),
    ]);
  }
  return { levels, why: null };
}

/** The sizes of a side from its best level on, in units of the last of `places`: each is so many times the one before, cut down. */
export function sizesOf({ size, levels, sizeFactor = '1' }: FormulaSide, places: number): bigint[] {
  const { n, d } = parseSigned(size);
  const factor = parseSigned(sizeFactor);
  const sizes: bigint[] = [];
  for (let next = (n * 10n ** BigInt(places)) / d; sizes.length < levels; next = (next * factor.n) / factor.d)
    sizes.push(next);
  return sizes;
}

function closingsOf(
  { volatility, inventory, closesAboveSpreadBps }: Formula,
  { position, volatilityBps }: FormulaInputs,
  spread: Rational,
  made: Record<Side, MadeSide>,
): FormulaClosing[] {
  const above = (
    by: 'volatility' | 'spread',
    now: Rational,
    limit: string | undefined,
    what: (now: string, limit: string) => string,
  ) => {
    if (limit === undefined) return [];
    const isOver = compare(now, parseSigned(limit)) > 0;
    // Rounded up, as it is over the limit.
    const why = isOver ? what(withPlaces(ceil(mul(now, TEN)), 1), limit) : null;
    return [closing({ by, closes: 'pair', now, limit: parseSigned(limit), why })];
  };
  const held = (closes: Side) => {
    if (inventory === undefined) return [];
    const now = given(position);
    const most = parseSigned(inventory.limit);
    const [isReached, limit] =
      closes === 'bids' ? [compare(now, most) >= 0, most] : [compare(now, minus(most)) <= 0, minus(most)];
    const why = isReached ? `the position is ${exactText(now)}, and its limit ${exactText(limit)}` : null;
    return [closing({ by: 'position', closes, now, limit, why })];
  };
  const empty = (closes: Side): FormulaClosing[] => {
    const { why } = made[closes];
    return why === null ? [] : [{ by: 'levels', closes, now: null, limit: null, nearPercent: 100, why }];
  };
  const moved = (now: string, limit: string) =>
    `in the last ${volatility?.windowSeconds} s the mid moved ${now} bps, limit ${limit} bps`;
  const apart = (now: string, limit: string) => `its asked spread is ${now} bps, limit ${limit} bps`;
  return [
    ...(volatility === undefined ? [] : above('volatility', given(volatilityBps), volatility.closesAboveBps, moved)),
    ...above('spread', spread, closesAboveSpreadBps, apart),
    ...held('bids'),
    ...held('asks'),
    ...empty('bids'),
    ...empty('asks'),
  ];
}

/** With how near it is: of a limit of zero all the way, and nothing where it goes the other way. */
function closing({
  now,
  limit,
  ...of
}: Pick<FormulaClosing, 'by' | 'closes' | 'why'> & { now: Rational; limit: Rational }): FormulaClosing {
  const part = limit.n === 0n ? ONE : div(now, limit);
  const percent = floor(mul(part, PERCENT));
  const near = of.why !== null || percent > 100n ? 100n : percent < 0n ? 0n : percent;
  return { ...of, now: exactText(now), limit: exactText(limit), nearPercent: Number(near) };
}

/** What a formula asks for is never taken for nothing. Throws where it is not there. */
function given(figure: string | null): Rational {
  if (figure === null) throw new Error('A formula was not given what it asks for.');
  return parseSigned(figure);
}

function priceAt(mid: Rational, bps: Rational): Rational {
  return mul(mid, add(ONE, mul(bps, BPS)));
}

/** The nearest whole multiple of the tick on the side of `round`. */
function toTick(price: Rational, tick: Rational, round: (a: Rational) => bigint): Rational {
  return { n: round(div(price, tick)) * tick.n, d: tick.d };
}

function upToThreeDigits(mid: Rational): Rational {
  let unit = ONE;
  while (compare(mid, mul(unit, THOUSAND)) >= 0) unit = mul(unit, TEN);
  while (compare(mid, mul(unit, PERCENT)) < 0) unit = { n: unit.n, d: unit.d * 10n };
  return { n: ceil(div(mid, unit)) * unit.n, d: unit.d };
}

function other(side: Side): Side {
  return side === 'bids' ? 'asks' : 'bids';
}

function minus({ n, d }: Rational): Rational {
  return { n: -n, d };
}

/** A fraction below which stands a power of ten, to its last digit. */
function exactText({ n, d }: Rational): string {
  return fromRaw(n, `${d}`.length - 1);
}
