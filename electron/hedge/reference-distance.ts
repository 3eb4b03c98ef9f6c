import { hasReference } from '../book/combine-sources.ts';
import type { HedgeOpened } from '../journal/hedges/events.ts';
import type { Address } from '../protocol/address.ts';
import {
  add,
  ceil,
  compare,
  div,
  floor,
  formatDecimal,
  mul,
  parseDecimal,
  type Rational,
  sub,
} from '../protocol/decimal.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { chainOf, type HedgeParts } from './hedge-parts.ts';
import type { HedgeRun } from './hedge-run.ts';

type Parts = Pick<HedgeParts, 'book' | 'now'>;
/** What is traded, whichever amount of it: raw units of the source (SELL) or of the destination (BUY). */
export type Traded = Pick<HedgeOpened, 'src' | 'dest' | 'side' | 'amount'>;

/** The most that a hedge may be off the reference unless its pair is set otherwise, basis points. */
export const USUAL_DISTANCE_BPS = 50;
const WHOLE: Rational = { n: 10_000n, d: 1n };

/** The listed pair of the two tokens of a hedge on one chain, and whether its base is sold; null where there is none. */
export function pairOfHedge({ book }: Pick<Parts, 'book'>, { src, dest }: Pick<Traded, 'src' | 'dest'>) {
  if (src.chainId !== dest.chainId) return null;
  const market = chainOf({ book }, src.chainId).market(src.address as Address, dest.address as Address);
  if (market === undefined) return null;
  return { pair: market.pair, sellsBase: market.pair.base.address === src.address };
}

/** How far a hedge of this pair may be off its reference, basis points. */
export async function distanceOf(
  { journal }: Pick<HedgeParts, 'journal'>,
  chainId: number,
  pair: string,
): Promise<number> {
  const known = (await journal.read.autoHedges()).find((one) => one.chainId === chainId && one.pair === pair);
  // Of settings that cannot be read the strictest that they could say holds: a person is asked.
  if (known?.settings === null) return 0;
  return known?.settings.maxDistanceBps ?? USUAL_DISTANCE_BPS;
}

/** The middle that the reference says of a pair, quote tokens per base token. Throws DeskError `no_reference` without a fresh one. */
export function freshMid({ book, now }: Parts, chainId: number, pair: string): string {
  const chain = chainOf({ book }, chainId);
  const until = book.references.midFreshUntil(chain, pair);
  const known = book.references.of(chainId, pair);
  if (known !== undefined && until !== null && now() <= until) return known.mid;
  const why = until === null ? 'has no reference' : 'has no fresh price of its reference';
  throw new DeskError('no_reference', `${pair} ${why}, so nobody can say how far off a price of the service is.`, {
    remedy:
      until === null
        ? 'Name a reference of the chain under Settings, Chains.'
        : 'Nothing was signed: see what the reference says on the Service page.',
  });
}

/**
 * The worst that the amount which is not fixed may come to, raw units: no further from the reference than `mostBps`. Null where
 * the two tokens are no pair. Throws DeskError `no_reference`.
 */
export function boundByReference(parts: Parts, traded: Traded, mostBps: number): bigint | null {
  const found = pairOfHedge(parts, traded);
  if (found === null) return null;
  return boundOfMid(found, traded, freshMid(parts, traded.src.chainId, found.pair.id), mostBps);
}

/** The same by the middle that the reference said at some moment. */
export function boundOfMid(
  found: NonNullable<ReturnType<typeof pairOfHedge>>,
  { side, amount }: Pick<Traded, 'side' | 'amount'>,
  text: string,
  mostBps: number,
): bigint {
  const mid = rawMid(found.pair, text);
  const off: Rational = { n: BigInt(mostBps), d: 1n };
  // Sold base may bring less than its reference by this much, bought base may cost more.
  const worst = div(mul(mid, found.sellsBase ? sub(WHOLE, off) : add(WHOLE, off)), WHOLE);
  const size: Rational = { n: BigInt(amount), d: 1n };
  const countsBase = found.sellsBase === (side === 'SELL');
  const other = countsBase ? mul(size, worst) : div(size, worst);
  return side === 'SELL' ? ceil(other) : floor(other);
}

/**
 * The same for a hedge that runs, where it is bound to the reference at all: of this offer, or of the limit that stands in its
 * place. Throws DeskError `off_reference`, `no_reference`.
 */
export function furthestOf(
  run: Pick<HedgeRun, 'parts'>,
  traded: Traded & Pick<HedgeOpened, 'maxDistanceBps'>,
  offered: bigint,
) {
  const { maxDistanceBps: mostBps } = traded;
  if (mostBps === undefined) return null;
  const bound = boundByReference(run.parts, traded, mostBps);
  expectNear(run.parts, traded, { offered, bound, mostBps });
  return bound;
}

/** Throws DeskError `off_reference` for an offer that is worse than this bound. */
function expectNear(
  parts: Parts,
  traded: Traded,
  { offered, bound, mostBps }: { offered: bigint; bound: bigint | null; mostBps: number },
): void {
  if (bound === null || (traded.side === 'SELL' ? offered >= bound : offered <= bound)) return;
  throw new DeskError('off_reference', distanceWords(parts, traded, offered, mostBps), {
    remedy: 'Nothing was signed: look at where the service gets its price.',
  });
}

function distanceWords(parts: Parts, traded: Traded, offered: bigint, mostBps: number): string {
  const found = pairOfHedge(parts, traded);
  if (found === null || offered === 0n) return 'The service offers nothing.';
  const { pair, sellsBase } = found;
  const text = freshMid(parts, traded.src.chainId, pair.id);
  const mid = rawMid(pair, text);
  const [amount, other]: [Rational, Rational] = [
    { n: BigInt(traded.amount), d: 1n },
    { n: offered, d: 1n },
  ];
  const price = sellsBase === (traded.side === 'SELL') ? div(other, amount) : div(amount, other);
  const off = sellsBase ? sub(mid, price) : sub(price, mid);
  const bps = formatDecimal(mul(div(off, mid), WHOLE), 1, 'ceil');
  const side = sellsBase ? 'under' : 'over';
  return `The price is ${bps} bps ${side} the reference of ${pair.id}, ${text}; the limit is ${mostBps} bps.`;
}

/**
 * Why a person has to be asked about a hedge before it is placed: what it comes to at most is further from a reference than its
 * pair allows, or the reference that there is says nothing now. Null where nothing is to be asked.
 */
export function questionOfDistance(parts: Parts, traded: Traded, worst: bigint | null, mostBps: number): string | null {
  const found = pairOfHedge(parts, traded);
  if (found === null || !hasReference(chainOf(parts, traded.src.chainId).config, found.pair.id)) return null;
  try {
    const bound = boundByReference(parts, traded, mostBps);
    if (worst !== null) expectNear(parts, traded, { offered: worst, bound, mostBps });
    return null;
  } catch (error) {
    if (isDeskError(error, 'off_reference', 'no_reference')) return error.message;
    throw error;
  }
}

/**
 * The furthest from the reference that a hedge which is placed now without a question will be held to, raw units: null where nothing
 * holds it, or where it is a question, since whoever says yes to that lets it go further.
 */
export async function fenceOf(
  parts: Pick<HedgeParts, 'book' | 'now' | 'journal'>,
  traded: Traded,
  offered: bigint,
): Promise<bigint | null> {
  const found = pairOfHedge(parts, traded);
  const { chainId } = traded.src;
  if (found === null || !hasReference(chainOf(parts, chainId).config, found.pair.id)) return null;
  const mostBps = await distanceOf(parts, chainId, found.pair.id);
  try {
    const bound = boundByReference(parts, traded, mostBps);
    expectNear(parts, traded, { offered, bound, mostBps });
    return bound;
  } catch (error) {
    if (isDeskError(error, 'off_reference', 'no_reference')) return null;
    throw error;
  }
}

/** What an automatic hedge lost against the reference at which it was placed, raw units of quote; below zero it gained. */
export function lostAgainst({
  src,
  spent,
  received,
  mid,
  pair,
}: {
  src: string;
  spent: bigint;
  received: bigint;
  mid: string;
  pair: { base: { address: string; decimals: number }; quote: { decimals: number } };
}): bigint {
  const raw = rawMid(pair, mid);
  const [gave, got]: [Rational, Rational] = [
    { n: spent, d: 1n },
    { n: received, d: 1n },
  ];
  const lost = src === pair.base.address ? sub(mul(gave, raw), got) : sub(gave, mul(got, raw));
  return compare(lost, { n: 0n, d: 1n }) < 0 ? floor(lost) : ceil(lost);
}

/** Raw units of quote for a raw unit of base. */
function rawMid({ base, quote }: { base: { decimals: number }; quote: { decimals: number } }, mid: string): Rational {
  const { n, d } = parseDecimal(mid);
  return { n: n * 10n ** BigInt(quote.decimals), d: d * 10n ** BigInt(base.decimals) };
}
