import { MARK_NAMES, type MarkName } from '../../contract/marks.ts';
import { byPart, type PartName, type Unpriced } from '../../contract/results.ts';
import { compare, mul, parseDecimal, type Rational } from '../../protocol/decimal.ts';
import { isTooEarly } from '../fills/marks.ts';
import type { HedgeShare } from '../hedges/shares.ts';
import { minus, plus, sidesOf, type Trade } from '../quotes/trade-value.ts';

/** All that the result of one fill is worked out from. */
export interface FillFacts {
  trade: Trade;
  /** Block time, Unix milliseconds. */
  time: number;
  /** The reference at each mark, quote per base; null without one. */
  mids: Record<MarkName, string | null>;
  /** Dollars a quote token when it was filled; null where nothing says it. */
  dollars: Rational | null;
  hedges: readonly Omit<HedgeShare, 'hedgeSeq'>[];
  /** The newest reference of the pair until now, and when it was said. */
  last: { mid: string; time: number } | null;
}

/** What a fill came to, in dollars, exactly: the parts add up to the net, where there is one. */
export interface FillParts {
  /** Null where nothing says what the quote token was worth. */
  volume: Rational | null;
  parts: Record<PartName, Rational | 'not_yet' | null>;
  net: Rational | null;
  unpriced: Unpriced | null;
  /** Whether something of it is not hedged. */
  isOpen: boolean;
  /** When the price was said that its open part is valued at; null where nothing is open, or nothing says it. */
  valuedAt: number | null;
}

export const ZERO: Rational = { n: 0n, d: 1n };

/** Nobody fills for more dollars than this at once: what is beyond comes of a price or a token that is wrong. */
const MOST_DOLLARS: Rational = { n: 10n ** 12n, d: 1n };

/**
 * Works out what a fill came to until `now`, Unix milliseconds. Dollars are counted as they were when it was filled. What is
 * hedged counts at the price of its hedges, what is open at the newest reference. Each mark counts from the one before it that is
 * known; whatever prices did since the newest known one is inventory, and so is all of it where the edge is not known. A hedge
 * costs what it was off the reference when it was placed; where that is not known, its cost is in the inventory too.
 * Throws where a figure is out of all bounds.
 */
export function fillResult({ trade, time, mids, dollars, hedges, last }: FillFacts, now: number): FillParts {
  const { base: baseSize, quote: quoteSize } = sidesOf(trade);
  const bought = trade.side === 'bids';
  const [base, quote] = bought ? [baseSize, minus(quoteSize)] : [minus(baseSize), quoteSize];
  const worthAt = (mid: string) => plus(mul(base, parseDecimal(mid)), quote);

  const parts: FillParts['parts'] = byPart(() => null);
  let counted: Rational | null = null;
  for (const name of MARK_NAMES) {
    const mid = mids[name];
    if (isTooEarly(name, time, now)) parts[name] = 'not_yet';
    else if (mid !== null && (name === 'edge' || counted !== null)) {
      const worth = worthAt(mid);
      parts[name] = counted === null ? worth : plus(worth, minus(counted));
      counted = worth;
    }
  }

  const moved = hedges.map((hedge) => ({
    base: { n: hedge.base, d: baseSize.d },
    quote: hedge.quote === null ? null : { n: hedge.quote, d: quoteSize.d },
    mid: hedge.mid,
  }));
  const open = moved.reduce((sum, hedge) => plus(sum, hedge.base), base);
  const isOpen = open.n !== 0n;
  const cash = moved.reduce<Rational | null>(
    (sum, hedge) => (sum === null || hedge.quote === null ? null : plus(sum, hedge.quote)),
    quote,
  );
  const gross =
    cash === null ? null : !isOpen ? cash : last === null ? null : plus(cash, mul(open, parseDecimal(last.mid)));
  if (gross !== null) {
    parts.hedge = moved.reduce<Rational | null>((sum, hedge) => {
      if (hedge.base.n === 0n && hedge.quote?.n === 0n) return sum;
      if (sum === null || hedge.quote === null || hedge.mid === null) return null;
      return plus(sum, plus(mul(hedge.base, parseDecimal(hedge.mid)), hedge.quote));
    }, ZERO);
    parts.inventory = plus(gross, minus(plus(counted ?? ZERO, parts.hedge ?? ZERO)));
  }
  const valuedAt = isOpen ? (last?.time ?? null) : null;
  if (dollars === null) {
    return { volume: null, parts: byPart(() => null), net: null, unpriced: 'no_dollars', isOpen, valuedAt };
  }

  const gas = hedges.reduce<Rational | null>(
    (sum, hedge) => (sum === null || hedge.gas === null ? null : plus(sum, hedge.gas)),
    ZERO,
  );
  const fees = hedges.reduce((sum, hedge) => plus(sum, hedge.fees), ZERO);
  const inDollars = byPart((name) => {
    const part = parts[name];
    return part === null || part === 'not_yet' ? part : mul(part, dollars);
  });
  inDollars.gas = gas === null ? null : minus(gas);
  inDollars.fees = minus(fees);
  const volume = mul(quoteSize, dollars);
  const net = gross === null || gas === null ? null : plus(mul(gross, dollars), minus(plus(gas, fees)));
  for (const figure of [volume, net, ...Object.values(inDollars)]) expectInBounds(figure);
  const unpriced = cash === null ? 'other_token' : gross === null ? 'no_reference' : gas === null ? 'no_gas' : null;
  return { volume, parts: inDollars, net, unpriced, isOpen, valuedAt };
}

function expectInBounds(figure: Rational | 'not_yet' | null): void {
  if (figure === null || figure === 'not_yet') return;
  const size = figure.n < 0n ? minus(figure) : figure;
  if (compare(size, MOST_DOLLARS) > 0) throw new Error('more dollars than anybody trades at once');
}

/** The parts of these names that are known, together. `not_yet` where none of them has come, null where none is known. */
export function together(parts: FillParts['parts'], names: readonly PartName[]): Rational | 'not_yet' | null {
  let sum: Rational | null = null;
  for (const name of names) {
    const part = parts[name];
    if (part !== null && part !== 'not_yet') sum = plus(sum ?? ZERO, part);
  }
  return sum ?? (names.every((name) => parts[name] === 'not_yet') ? 'not_yet' : null);
}
