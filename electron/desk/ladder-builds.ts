import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { References } from '../book/references.ts';
import type { Ladder } from '../contract/desk-file.ts';
import type { BuildForm, BuiltLadder, FoundShape } from '../contract/ladder-build.ts';
import { compare, div, floor, formatDecimal, parseDecimal, type Rational, WHOLE_BPS } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import {
  behindAsIn,
  evenlyBehind,
  finestIn,
  ladderPrices,
  levelsOf,
  middleOf,
  placesFor,
  placesIn,
  proportionsIn,
  proportionsOf,
  sizesAsIn,
  sizesFrom,
  sizesWithin,
  spreadIn,
  stepIn,
} from '../protocol/ladder-build.ts';
import type { Side } from '../protocol/side.ts';
import type { Level } from '../protocol/wire.ts';
import { soundLadder } from './ladder-preview.ts';
import type { ReferenceOf } from './references-of.ts';
import type { Rooms } from './rooms.ts';

/** Digits that a price and a size keep where no ladder says how fine they are. */
const PRICE_DIGITS = 6;
const SIZE_DIGITS = 4;

/** A pair with the ladder that a build finds: its draft's, or what is live while the draft has a fault. */
interface Found {
  chain: ChainBook;
  pair: BookPair;
  ladder: Ladder;
}

/** The shape that a form begins with. Throws DeskError `unknown_pair`. */
export function foundShape({ book }: Pick<Rooms, 'book'>, chainId: number, id: string): FoundShape {
  const { ladder } = found(book, chainId, id);
  return {
    bids: ladder.bids.length,
    asks: ladder.asks.length,
    spreadBps: spreadIn(ladder),
    stepBps: stepIn(ladder),
  };
}

/** The ladder of one pair as a form asks for it, or why it cannot be built. Throws DeskError `unknown_pair`. */
export function builtLadder(
  { book, guard }: Pick<Rooms, 'book' | 'guard'>,
  referenceOf: ReferenceOf,
  { chainId, pair: id }: { chainId: number; pair: string },
  form: BuildForm,
): BuiltLadder {
  const here = found(book, chainId, id);
  let mid: Rational | null = null;
  try {
    mid = midFor(here, form, referenceOf, book.references);
    const ladder = ladderAround(mid, here, form, guard);
    return { chainId, pair: id, mid: midText(mid), ladder, fault: null };
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    return { chainId, pair: id, mid: mid === null ? null : midText(mid), ladder: null, fault: error.message };
  }
}

function found(book: Rooms['book'], chainId: number, id: string): Found {
  const chain = book.chain(chainId);
  const pair = chain?.pairs.get(id);
  if (chain === undefined || pair === undefined) {
    throw new DeskError('unknown_pair', `${id} is not a pair of chain ${chainId}.`);
  }
  return { chain, pair, ladder: soundLadder(book.draft(chainId, id)) ?? pair.ladder.ladder };
}

function ladderAround(mid: Rational, here: Found, form: BuildForm, guard: Rooms['guard']): Ladder {
  const { pair, ladder } = here;
  const typedPrice = form.mid.from === 'typed' ? placesIn(form.mid.price) : 0;
  const finestPrice = finestIn(ladder, 0);
  const prices = ladderPrices({
    mid,
    spreadBps: form.spreadBps,
    behind: { bids: behindOf('bids', here, form), asks: behindOf('asks', here, form) },
    pricePlaces:
      finestPrice === null && form.mid.from !== 'typed'
        ? placesFor(mid, PRICE_DIGITS)
        : Math.max(finestPrice ?? 0, typedPrice),
  });
  const sizes = {
    bids: sizesOf('bids', here, { form, mid, prices: prices.bids, guard }),
    asks: sizesOf('asks', here, { form, mid, prices: prices.asks, guard }),
  };
  const amountPlaces = Math.min(pair.base.decimals, placesOfSizes(here, form, [...sizes.bids, ...sizes.asks]));
  const built = (side: Side) => levelsOf(prices[side], sizes[side], amountPlaces).map(asWritten(ladder[side]));
  return { bids: built('bids'), asks: built('asks') };
}

function midText(mid: Rational): string {
  return formatDecimal(mid, placesFor(mid, PRICE_DIGITS + 2), 'floor');
}

function midFor(
  { chain, pair, ladder }: Found,
  { mid }: BuildForm,
  referenceOf: ReferenceOf,
  references: Pick<References, 'of'>,
): Rational {
  if (mid.from === 'typed') return above(mid.price, 'The mid');
  if (mid.from === 'reference') {
    const reference = referenceOf(chain.chainId, pair.id);
    if (reference === null) throw cannot('The reference says nothing of this pair.');
    if (reference.stale) throw cannot('The reference of this pair is stale.');
    const { heldBack = null, isBelieved } = references.of(chain.chainId, pair.id) ?? {};
    if (heldBack !== null && isBelieved !== true) {
      throw cannot(`The reference of this pair is not believed: ${heldBack}. Type a mid.`);
    }
    return above(reference.mid, 'The reference');
  }
  const middle = middleOf(ladder);
  if (middle === null) throw cannot('The ladder has no mid: a side is empty.');
  return middle;
}

/** A side as it is found, and then the other one: what a side lacks is taken from there. */
function sidesFrom(side: Side, { ladder }: Found): (readonly Level[])[] {
  return side === 'bids' ? [ladder.bids, ladder.asks] : [ladder.asks, ladder.bids];
}

function countOf(side: Side, { ladder }: Found, { levels }: BuildForm): number {
  const count = levels ?? ladder[side].length;
  if (levels === null && ladder.bids.length + ladder.asks.length === 0) throw cannot('There are no levels to keep.');
  return count;
}

function behindOf(side: Side, here: Found, form: BuildForm): Rational[] {
  const levels = countOf(side, here, form);
  if (form.step.of === 'even') return evenlyBehind(form.step.bps, levels);
  if (levels === 0) return [];
  for (const own of sidesFrom(side, here)) {
    const [best] = own;
    const around = middleOf(here.ladder) ?? (best && parseDecimal(best[0]));
    const behind = around && behindAsIn(own, around, levels);
    if (behind) return behind;
  }
  throw cannot('There are no steps to keep: type one.');
}

function sizesOf(
  side: Side,
  here: Found,
  { form, mid, prices, guard }: { form: BuildForm; mid: Rational; prices: readonly string[]; guard: Rooms['guard'] },
): Rational[] {
  const { size, shape } = form;
  const levels = prices.length;
  if (levels === 0) return [];
  const own = sidesFrom(side, here).find((found) => found.length > 0) ?? [];
  if (own.length === 0 && (size.of === 'kept' || shape.kind === 'kept')) {
    throw cannot('There are no sizes to keep: the ladder is empty.');
  }
  if (size.of === 'kept') return sizesAsIn(own, levels);
  const proportions = shape.kind === 'kept' ? proportionsIn(own, levels) : proportionsOf(shape, levels);
  if (size.of === 'base') return sizesFrom(above(size.amount, 'The size'), proportions);
  if (size.of === 'quote') return sizesFrom(div(above(size.amount, 'The size'), mid), proportions);
  const most = payable(side, here, guard);
  return sizesWithin(most, proportions, side === 'bids' ? prices.map(parseDecimal) : []);
}

/**
 * The most that a side may give in all of its token, in token units: what one quote may give now, without the part of it that the
 * service asks for beyond what it fills.
 */
function payable(side: Side, { chain, pair }: Found, guard: Rooms['guard']): Rational {
  const [id, token] = side === 'bids' ? [pair.definition.quote, pair.quote] : [pair.definition.base, pair.base];
  const { balance, allowance } = guard.orders.of(chain.chainId).covered(token.address);
  if (balance === null || allowance === null) {
    throw cannot(`What can be paid of ${id} is not seen yet: type a size.`);
  }
  const most = floor({
    n: guard.quotable(chain, token.address) * WHOLE_BPS,
    d: WHOLE_BPS + BigInt(chain.config.overfillBps),
  });
  if (allowance === 0n) throw cannot(`${id} is not approved yet: type a size.`);
  if (most <= 0n) throw cannot(`Nothing of ${id} can be paid now: type a size.`);
  return { n: most, d: 10n ** BigInt(token.decimals) };
}

/** How fine sizes are: as in the ladder or as typed, and so fine that the smallest of what can be paid keeps its digits. */
function placesOfSizes({ ladder }: Found, { size }: BuildForm, sizes: readonly Rational[]): number {
  const smallest = sizes.reduce<Rational | null>(
    (least, one) => (least && compare(least, one) <= 0 ? least : one),
    null,
  );
  const asNeeded = smallest === null ? 0 : placesFor(smallest, SIZE_DIGITS);
  const inLadder = finestIn(ladder, 1);
  const typed = size.of === 'base' ? placesIn(size.amount) : null;
  if (inLadder === null && typed === null) return asNeeded;
  return Math.max(inLadder ?? 0, typed ?? 0, size.of === 'payable' ? asNeeded : 0);
}

/** A level as it was written before where its numbers are the same: a zero more or less is no change of a draft. */
function asWritten(side: readonly Level[]): (level: Level, at: number) => Level {
  const same = (was: string | undefined, now: string) =>
    was !== undefined && compare(parseDecimal(was), parseDecimal(now)) === 0 ? was : now;
  return ([price, amount], at) => [same(side[at]?.[0], price), same(side[at]?.[1], amount)];
}

function above(text: string, what: string): Rational {
  const value = parseDecimal(text);
  if (value.n > 0n) return value;
  throw cannot(`${what} must be above zero.`);
}

function cannot(sentence: string): DeskError {
  return new DeskError('cannot_build', sentence);
}
