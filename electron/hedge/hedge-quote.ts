import { type HedgeQuote, type QuotedWay, quotedWaySchema } from '../contract/hedge.ts';
import type { HedgeAsk } from '../contract/hedge-terms.ts';
import type { HedgeOpened } from '../journal/hedges/events.ts';
import { add, compare, parseDecimal, type Rational } from '../protocol/decimal.ts';
import type { HedgeNode } from './hedge-node.ts';
import { type HedgeParts, sentenceOf } from './hedge-parts.ts';
import { endsOf } from './hedge-terms.ts';
import { VENUES } from './venues/venues.ts';

const NONSENSE = 'The service answered with figures that no token can hold.';

/** Asks every venue that gives prices, and puts them side by side. Throws DeskError, among them `service_day_spent`. */
export async function quoteVenues(
  parts: HedgeParts,
  node: (chainId: number) => HedgeNode,
  ask: HedgeAsk,
): Promise<HedgeQuote> {
  const ends = endsOf(parts, ask);
  const { chainId, src, dest, side, amount } = ends;
  parts.service(chainId).checkBudget();
  const chain = node(chainId);
  // Asked from the last to the first: the service takes a question after the other, and the auction of an order takes longest.
  const asked = VENUES.toReversed().flatMap(({ about, quote }) => {
    if (quote === null) return [];
    const said = { venue: about.name, title: about.title };
    // What one venue says cannot take the others from the screen.
    return quote(parts, chain, ends).then(
      ([first, ...others]) => {
        const isSound = quotedWaySchema.safeParse(first).success;
        return isSound && first !== undefined
          ? { ...said, quote: first, fault: null, others }
          : { ...said, quote: null, fault: NONSENSE, others: [] };
      },
      (error: unknown) => ({ ...said, quote: null, fault: sentenceOf(error), others: [] }),
    );
  });
  const quotes = (await Promise.all(asked)).reverse();
  return { at: parts.now(), src, dest, side, amount, quotes, better: betterOf(side, quotes) };
}

/** Of several that all say what they leave after their costs the one that leaves most; of equal ones the last. */
function betterOf(
  side: HedgeOpened['side'],
  quotes: readonly { venue: string; quote: QuotedWay | null }[],
): string | null {
  const worths = quotes.flatMap(({ venue, quote }) => (quote === null ? [] : [{ venue, worth: worthOf(side, quote) }]));
  if (worths.length < 2) return null;
  let best: { venue: string; worth: Rational } | null = null;
  for (const { venue, worth } of worths) {
    if (worth === null) return null;
    if (best === null || compare(worth, best.worth) >= 0) best = { venue, worth };
  }
  return best?.venue ?? null;
}

/** The more the better: what is got after gas, or of a purchase, where the same is received, what is not paid. */
function worthOf(side: HedgeOpened['side'], { srcUsd, gas, priceAfterGas }: QuotedWay): Rational | null {
  if (side === 'SELL') return priceAfterGas === null ? null : signed(priceAfterGas);
  if (srcUsd === null || gas.usd === null) return null;
  const { n, d } = add(parseDecimal(srcUsd), parseDecimal(gas.usd));
  return { n: -n, d };
}

function signed(decimal: string): Rational {
  if (!decimal.startsWith('-')) return parseDecimal(decimal);
  const { n, d } = parseDecimal(decimal.slice(1));
  return { n: -n, d };
}
