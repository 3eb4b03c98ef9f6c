import type { QuotedWay } from '../../../electron/contract/hedge.ts';
import {
  type Decimal,
  groupedText,
  negated,
  product,
  ratio,
  readDecimal,
  sum,
  withPlaces,
} from '../../components/figures/decimal-text.ts';
import type { ReadTicket, Ticket } from './ticket.ts';
import { shownAmount } from './use-quote.ts';

const WHOLE_BPS: Decimal = { digits: 10_000n, places: 0 };
const PERCENT_OF: Decimal = { digits: 1n, places: 2 };
const NOTHING: Decimal = { digits: 0n, places: 0 };

/** A part of something in tenths of a basis point. */
export type Share = bigint;

/** From one percent on a share is said in percent, and what is lost of a hedge is a warning; from five on it is a question. */
const PERCENT: Share = 1_000n;
export const LOSS_TO_WARN: Share = PERCENT;
export const LOSS_TO_ASK: Share = 5n * PERCENT;

/** `5.8 bps`, from one percent on `69.9 %`; cut up, as what is lost is. */
export function shareText(share: Share): string {
  const size = share < 0n ? -share : share;
  if (size < PERCENT) return `${groupedText({ digits: share, places: 1 })}\u00a0bps`;
  return `${groupedText(withPlaces({ digits: share, places: 3 }, 1, 'up'))}\u00a0%`;
}

/** What a way leaves out of what is given, after gas and fees, by the service's dollars; null where it does not say them. */
export function costOf({ srcUsd, worthUsd }: QuotedWay): { usd: Decimal; share: Share } | null {
  const [given, left] = [readDecimal(srcUsd ?? ''), readDecimal(worthUsd ?? '')];
  if (given === null || left === null || given.digits <= 0n) return null;
  const usd = sum(given, negated(left));
  return { usd, share: shareOf(usd, given) };
}

/**
 * What a hedge may lose at its price: of a limit how far it lies on the wrong side of the price now, of any other way what
 * it costs. Below zero nothing is lost.
 */
export function lossOf(ticket: Ticket, { limitRaw }: ReadTicket, way: QuotedWay | null): Share | null {
  if (way === null) return null;
  if (limitRaw === null) return costOf(way)?.share ?? null;
  const now: Decimal = { digits: BigInt(shownAmount(way, ticket.side)), places: 0 };
  if (now.digits === 0n) return null;
  const limit: Decimal = { digits: BigInt(limitRaw), places: 0 };
  return shareOf(ticket.side === 'SELL' ? sum(now, negated(limit)) : sum(limit, negated(now)), now);
}

/**
 * The parts of what a way costs: gas, the fee and a bridge as the service says them, and what is left of it, that is the price, with its
 * spread and its own move. Each is whole cents cut up, so that they come to what the whole is said to be; null where that is not known.
 */
export function costParts(
  way: QuotedWay,
): { fee: Decimal | null; feeShare: Share; price: Decimal; priceShare: Share } | null {
  const { srcUsd, gas, fees } = way;
  const [cost, given] = [costOf(way), readDecimal(srcUsd ?? '')];
  const percent = readDecimal(String(fees.percent ?? 0));
  if (cost === null || given === null || gas.usd === null || percent === null) return null;
  const share = product(product(given, percent), PERCENT_OF);
  const fee = cents(share);
  const gasUsd = /[1-9]/.test(gas.usd) ? gas.usd : (fees.gasUsd ?? '0');
  const others = [gasUsd, fees.bridgeUsd ?? '0'].map((usd) => cents(readDecimal(usd) ?? NOTHING));
  const price = [fee, ...others].reduce((left, part) => sum(left, negated(part)), cents(cost.usd));
  return {
    fee: fees.percent === null ? null : fee,
    feeShare: shareOf(share, given),
    price,
    priceShare: shareOf(price, given),
  };
}

/** Cents of dollars, cut up: it is what we pay. `$1.20`, `−$1.20`. */
export function dollarsText(usd: Decimal): string {
  const text = groupedText(cents(usd));
  return text.startsWith('−') ? text.replace('−', '−$') : `$${text}`;
}

function cents(usd: Decimal): Decimal {
  return withPlaces(usd, 2, 'up');
}

function shareOf(part: Decimal, whole: Decimal): Share {
  return ratio(product(part, WHOLE_BPS), whole, 1, part.digits < 0n ? 'down' : 'up')?.digits ?? 0n;
}
