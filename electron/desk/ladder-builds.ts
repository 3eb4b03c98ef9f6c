import type { BookPair } from '../book/chain-book.ts';
import type { BuildForm, BuiltLadder } from '../contract/ladder-build.ts';
import { add, div, formatDecimal, parseDecimal, type Rational } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { buildLadder, levelSizes, placesFor } from '../protocol/ladder-build.ts';
import type { Level } from '../protocol/wire.ts';
import type { ReferenceOf } from './references-of.ts';

/** Digits that a price and a size keep where no ladder says how fine they are. */
const PRICE_DIGITS = 6;
const SIZE_DIGITS = 4;

/** The ladder of one pair as a form asks for it, or why it cannot be built. */
export function builtLadder(chainId: number, pair: BookPair, form: BuildForm, referenceOf: ReferenceOf): BuiltLadder {
  const named = { chainId, pair: pair.id };
  let mid: Rational | null = null;
  try {
    mid = midFor(chainId, pair, form, referenceOf);
    const sizes = sizesFor(pair, form, mid);
    const [smallest] = sizes;
    if (smallest === undefined) throw cannot('There are no sizes to keep: nothing is live.');
    const { bids, asks } = pair.ladder.ladder;
    const live = [...bids, ...asks];
    const ladder = buildLadder({
      mid,
      sizes,
      spreadBps: form.spreadBps,
      stepBps: form.stepBps,
      pricePlaces: finest(live, 0, form.mid.from === 'typed' ? form.mid.price : '') ?? placesFor(mid, PRICE_DIGITS),
      amountPlaces: Math.min(
        pair.base.decimals,
        finest(live, 1, form.size.of === 'base' ? form.size.amount : '') ?? placesFor(smallest, SIZE_DIGITS),
      ),
    });
    return { ...named, mid: midText(mid), ladder, fault: null };
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    return { ...named, mid: mid === null ? null : midText(mid), ladder: null, fault: error.message };
  }
}

function midText(mid: Rational): string {
  return formatDecimal(mid, placesFor(mid, PRICE_DIGITS + 2), 'floor');
}

function midFor(chainId: number, pair: BookPair, { mid }: BuildForm, referenceOf: ReferenceOf): Rational {
  if (mid.from === 'typed') return above(mid.price, 'The mid');
  if (mid.from === 'reference') {
    const reference = referenceOf(chainId, pair.id);
    if (reference === null) throw cannot('The reference says nothing of this pair.');
    if (reference.stale) throw cannot('The reference of this pair is stale.');
    return above(reference.mid, 'The reference');
  }
  const [bid, ask] = [pair.ladder.ladder.bids[0], pair.ladder.ladder.asks[0]];
  if (bid === undefined || ask === undefined) throw cannot('There is no live mid: a side is empty.');
  return div(add(parseDecimal(bid[0]), parseDecimal(ask[0])), { n: 2n, d: 1n });
}

function sizesFor(pair: BookPair, { size, shape, levels }: BuildForm, mid: Rational): Rational[] {
  if (size.of === 'base') return levelSizes(above(size.amount, 'The size'), shape, levels);
  if (size.of === 'quote') return levelSizes(div(above(size.amount, 'The size'), mid), shape, levels);
  const { bids, asks } = pair.ladder.ladder;
  const live = bids.length >= asks.length ? bids : asks;
  const last = live.at(-1);
  if (last === undefined) return [];
  return Array.from({ length: levels }, (_, level) => parseDecimal((live[level] ?? last)[1]));
}

/** The most decimals in a column of what is live or in what was typed for it; null where neither says. */
function finest(levels: readonly Level[], column: 0 | 1, typed: string): number | null {
  const texts = [...levels.map((level) => level[column]), typed].filter((text) => text !== '');
  return texts.length === 0 ? null : Math.max(...texts.map((text) => (text.split('.')[1] ?? '').length));
}

function above(text: string, what: string): Rational {
  const value = parseDecimal(text);
  if (value.n > 0n) return value;
  throw cannot(`${what} must be above zero.`);
}

function cannot(sentence: string): DeskError {
  return new DeskError('cannot_build', sentence);
}
