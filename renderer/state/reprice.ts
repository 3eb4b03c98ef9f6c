import { MOST_BPS, MOST_FACTOR, type Reprice } from '../../electron/contract/repriced-ladder.ts';
import { readNumber } from '../../electron/contract/typed-number.ts';
import { compareDecimals, readDecimal } from '../components/figures/decimal-text.ts';
import type { ListedPair } from './live-desk.ts';

/** A change and the pairs that it is made to. `token` is the one that was named, where no pair was. */
export interface RepriceOrder {
  change: Reprice;
  token: string | null;
  pairs: readonly ListedPair[];
}

/** How it is written, for whoever asks. */
export const REPRICE_FORMS = ['WETH +5bp', 'WETH/USDC wider 5bp', 'all tighter 2bp', 'WETH sizes x0.5'] as const;

const SHIFT = /^([+−-])\s*([\d.,]+)\s*bps?$/i;
const WIDTH = /^(wider|tighter)(?:\s+by)?\s+([\d.,]+)\s*(?:bps?)?$/i;
const SIZES = /^sizes?\s*[x×*]\s*([\d.,]+)$/i;

/**
 * Reads `WETH +5bp`, `WETH/USDC wider 5bp`, `all sizes x0.5`: a token, a pair or all, and what is done to it. Returns null
 * where it is none of these forms, and why it is refused where it is one and cannot be done.
 */
export function readReprice(text: string, listed: readonly ListedPair[]): RepriceOrder | { fault: string } | null {
  const [, what = '', rest = ''] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(text) ?? [];
  const change = readChange(rest);
  if (change === null) return null;
  if ('fault' in change) return change;
  const wanted = what.toLowerCase();
  const isPair = wanted.includes('/');
  const pairs = listed.filter(({ pair, base, quote }) =>
    isPair ? pair.toLowerCase() === wanted : wanted === 'all' || isSpelled(base, wanted) || isSpelled(quote, wanted),
  );
  const [first] = pairs;
  if (first === undefined) return { fault: `No pair or token is called ${what}.` };
  const spelled = pairs.flatMap(({ base, quote }) => [base, quote]).filter((token) => isSpelled(token, what));
  const token = isPair || wanted === 'all' ? null : (spelled.find((as) => as === what) ?? spelled[0] ?? null);
  if (wanted === 'all' && change.kind === 'shift') {
    return { fault: 'All pairs cannot be shifted at once: say which token moves, as in WETH +5bp.' };
  }
  return { change, token, pairs };
}

/**
 * Whether the token that was named is the quote of a pair: then the price of its base moves the other way. Where a pair has
 * two spellings of it, the one that was named is meant.
 */
export function isInverse({ base, quote }: ListedPair, { token }: RepriceOrder): boolean {
  return token !== null && base !== token && (quote === token || !isSpelled(base, token));
}

/** Chains spell one token differently, USDT and USDt, and so do people: its case does not tell. */
function isSpelled(token: string, as: string): boolean {
  return token.toLowerCase() === as.toLowerCase();
}

function readChange(text: string): Reprice | { fault: string } | null {
  const shift = SHIFT.exec(text);
  const width = WIDTH.exec(text);
  const plain = readNumber(shift?.[2] ?? width?.[2] ?? SIZES.exec(text)?.[1] ?? '').text ?? '';
  const number = readDecimal(plain);
  if (number === null) return null;
  if (number.digits === 0n) return { fault: 'Zero changes nothing, or leaves no size.' };
  if (shift === null && width === null) {
    return compareDecimals(number, { digits: MOST_FACTOR, places: 0 }) > 0
      ? { fault: `Sizes grow to ${MOST_FACTOR} times at most.` }
      : { kind: 'sizes', factor: plain };
  }
  if (compareDecimals(number, { digits: MOST_BPS, places: 0 }) > 0)
    return { fault: 'Prices move by 1,000 bps at most.' };
  const isDown = shift === null ? width?.[1]?.toLowerCase() === 'tighter' : shift[1] !== '+';
  return { kind: shift === null ? 'wider' : 'shift', bps: isDown ? `-${plain}` : plain };
}

/** Says a change in words, as a heading does. */
export function repriceText({ change, token, pairs }: RepriceOrder): string {
  const what = token === null ? (pairs.length === 1 ? (pairs[0]?.pair ?? '') : 'all pairs') : `all ${token} pairs`;
  if (change.kind === 'sizes') return `Sizes of ${what} ×${change.factor}`;
  const by = `${change.bps.replace('-', '')} bps`;
  const isLess = change.bps.startsWith('-');
  if (change.kind === 'wider') return `${what[0]?.toUpperCase()}${what.slice(1)} ${by} ${isLess ? 'tighter' : 'wider'}`;
  return `${token ?? what} ${by} ${isLess ? 'down' : 'up'}`;
}
