import { MARKOUT_NAMES } from '../../contract/marks.ts';
import {
  byPart,
  type NoFillCosts,
  PART_NAMES,
  type PartFigure,
  type PartName,
  type Result,
  type ResultBy,
  type ResultCurve,
  type ResultKey,
} from '../../contract/results.ts';
import { formatDecimal, type Rational } from '../../protocol/decimal.ts';
import { plus, tenthBps } from '../quotes/trade-value.ts';
import { type FillParts, together, ZERO } from './fill-result.ts';
import type { CostOfNoFill } from './no-fill-costs.ts';

/** Exact sums of what some fills came to, in dollars. */
export interface ResultSums {
  fills: number;
  unpriced: number;
  unreadable: number;
  volume: Rational;
  parts: Record<PartName, { sum: Rational; known: number; notYet: number }>;
  net: Rational;
  open: number;
  valuedAt: number | null;
  young: { fills: number; net: Rational };
}

/** What the lines of the curve grow by in one step. */
export type Growth = Record<'edge' | 'markout' | 'inventory' | 'costs' | 'net', Rational>;

/** The sums of one pair, user or counterparty, and what its net grows by in each step. */
export interface ResultPart {
  by: ResultBy;
  key: ResultKey;
  sums: ResultSums;
  growth: readonly Rational[];
}

const DOLLAR_PLACES = 2;
const COST_NAMES: readonly PartName[] = ['hedge', 'gas', 'fees'];

export function noResults(): ResultSums {
  return {
    fills: 0,
    unpriced: 0,
    unreadable: 0,
    volume: ZERO,
    parts: byPart(() => ({ sum: ZERO, known: 0, notYet: 0 })),
    net: ZERO,
    open: 0,
    valuedAt: null,
    young: { fills: 0, net: ZERO },
  };
}

/** The sums of one fill alone; null is one that cannot be read. */
export function sumsOf(fill: FillParts | null): ResultSums {
  const none = noResults();
  if (fill === null) return { ...none, fills: 1, unreadable: 1 };
  const { volume, parts, net, isOpen, valuedAt } = fill;
  if (net === null || volume === null) return { ...none, fills: 1, unpriced: 1 };
  const isYoung = PART_NAMES.some((name) => parts[name] === 'not_yet');
  return {
    ...none,
    fills: 1,
    volume,
    parts: byPart((name) => {
      const part = parts[name];
      if (part === 'not_yet') return { sum: ZERO, known: 0, notYet: 1 };
      return part === null ? { sum: ZERO, known: 0, notYet: 0 } : { sum: part, known: 1, notYet: 0 };
    }),
    net,
    open: isOpen ? 1 : 0,
    valuedAt,
    young: { fills: isYoung ? 1 : 0, net: isYoung ? net : ZERO },
  };
}

/** Both sums together; neither is changed. */
export function addResults(a: ResultSums, b: ResultSums): ResultSums {
  return {
    fills: a.fills + b.fills,
    unpriced: a.unpriced + b.unpriced,
    unreadable: a.unreadable + b.unreadable,
    volume: plus(a.volume, b.volume),
    parts: byPart((name) => {
      const [one, other] = [a.parts[name], b.parts[name]];
      return {
        sum: plus(one.sum, other.sum),
        known: one.known + other.known,
        notYet: one.notYet + other.notYet,
      };
    }),
    net: plus(a.net, b.net),
    open: a.open + b.open,
    valuedAt:
      a.valuedAt === null || b.valuedAt === null ? (a.valuedAt ?? b.valuedAt) : Math.min(a.valuedAt, b.valuedAt),
    young: { fills: a.young.fills + b.young.fills, net: plus(a.young.net, b.young.net) },
  };
}

/** What a fill adds to each line of the curve; null where it has no net. */
export function growthOf({ parts, net }: FillParts): Growth | null {
  if (net === null) return null;
  const of = (names: readonly PartName[]) => {
    const sum = together(parts, names);
    return sum === null || sum === 'not_yet' ? ZERO : sum;
  };
  return { edge: of(['edge']), markout: of(MARKOUT_NAMES), inventory: of(['inventory']), costs: of(COST_NAMES), net };
}

export function noGrowth(): Growth {
  return { edge: ZERO, markout: ZERO, inventory: ZERO, costs: ZERO, net: ZERO };
}

export function addGrowth(a: Growth, b: Growth): Growth {
  return {
    edge: plus(a.edge, b.edge),
    markout: plus(a.markout, b.markout),
    inventory: plus(a.inventory, b.inventory),
    costs: plus(a.costs, b.costs),
    net: plus(a.net, b.net),
  };
}

/** What a cost that is of no fill adds to each line of the curve: nothing where it is not known. */
export function growthOfCost({ gas, fees }: CostOfNoFill): Growth {
  const costs = gas === null ? ZERO : plus(gas, fees);
  return { ...noGrowth(), costs, net: costs };
}

/** Costs of no fill as they are shown. */
export function shownNoFill(costs: readonly CostOfNoFill[]): NoFillCosts {
  const known = costs.flatMap(({ gas, fees }) => (gas === null ? [] : [{ gas, fees }]));
  const gas = known.reduce((sum, one) => plus(sum, one.gas), ZERO);
  const fees = known.reduce((sum, one) => plus(sum, one.fees), ZERO);
  return {
    count: costs.length,
    unpriced: costs.length - known.length,
    gas: dollarText(gas),
    fees: dollarText(fees),
    costs: dollarText(plus(gas, fees)),
  };
}

/** Dollars as they are shown: cut down to the cent. */
export function dollarText(dollars: Rational): string {
  return formatDecimal(dollars, DOLLAR_PLACES, 'floor');
}

export function partText(part: Rational | 'not_yet' | null): PartFigure {
  return part === null || part === 'not_yet' ? part : dollarText(part);
}

/** The sums as they are shown, each figure cut by itself from its exact sum. */
export function shownResult(sums: ResultSums): Result {
  const { fills, unpriced, unreadable, volume, net, open, valuedAt, young } = sums;
  const priced = fills - unpriced - unreadable;
  // Of nothing at all the sums are nothing; of fills without a price they are not known.
  const isPriced = priced > 0 || fills === 0;
  const parts = byPart((name) => {
    const { sum, known, notYet } = sums.parts[name];
    return known > 0 || fills === 0 ? sum : notYet > 0 ? ('not_yet' as const) : null;
  });
  return {
    fills,
    unpriced,
    unreadable,
    volume: isPriced ? dollarText(volume) : null,
    parts: byPart((name) => partText(parts[name])),
    missing: byPart((name) => priced - sums.parts[name].known - sums.parts[name].notYet),
    markout: partText(together(parts, MARKOUT_NAMES)),
    costs: isPriced ? dollarText(COST_NAMES.reduce((sum, name) => plus(sum, sums.parts[name].sum), ZERO)) : null,
    net: isPriced ? dollarText(net) : null,
    netBps: tenthBps({ gain: net, notional: volume }),
    open,
    valuedAt,
    young: { fills: young.fills, net: dollarText(young.net) },
  };
}

/** How the lines grew, step by step. */
export function shownCurve(span: { since: number; until: number }, growth: readonly Growth[]): ResultCurve {
  let sum = noGrowth();
  const points = growth.map((step) => {
    sum = addGrowth(sum, step);
    const { edge, markout, inventory, costs, net } = sum;
    return {
      edge: dollarText(edge),
      markout: dollarText(markout),
      inventory: dollarText(inventory),
      costs: dollarText(costs),
      net: dollarText(net),
    };
  });
  return { ...span, points };
}

/** The net alone, step by step. */
export function shownNet(growth: readonly Rational[]): string[] {
  let sum = ZERO;
  return growth.map((step) => {
    sum = plus(sum, step);
    return dollarText(sum);
  });
}
