import { BigNumber } from 'bignumber.js';
import type { z } from 'zod';
import type { Address } from '../../protocol/address.ts';
import { errorBodySchema, type Level, type Pair, type PriceEntry, type Token } from '../../protocol/wire.ts';
import { printable } from './failures.ts';

/** What a judge makes of one answer of the maker. */
export interface Judged<T> {
  /** What can be used of it; null when all of it is discarded. */
  value: T | null;
  /** What was wrong with it, a sentence each; not empty when the value is null. */
  faults: string[];
  /** What the maker wants to have logged (PROTOCOL 7). */
  message: string | null;
}

/** How the bodies of the four GETs are judged, and the parts of the channel's messages, which look the same. */
export interface AnswerRules {
  tokens(body: unknown): Judged<Record<string, Token>>;
  pairs(body: unknown): Judged<Record<string, Pair>>;
  prices(body: unknown): Judged<Record<string, PriceEntry>>;
  blacklist(body: unknown): Judged<Address[]>;
}

/** The first thing that zod finds wrong, as half a sentence: `prices.A.bids.0 must …`. */
export function firstIssue(error: z.ZodError, where: readonly string[] = []): string {
  const [issue] = error.issues;
  const path = [...where, ...(issue?.path ?? [])].map(String).join('.');
  return `${path === '' ? 'the body' : path}: ${issue?.message ?? 'it cannot be read'}`;
}

/** What is wrong with a list of addresses that names one twice (PROTOCOL 2.6, blacklist), or null. */
export function repeatedAddress(addresses: readonly Address[]): string | null {
  const seen = new Set<Address>();
  for (const address of addresses) {
    if (seen.has(address)) return `blacklist: ${address} is in it twice`;
    seen.add(address);
  }
  return null;
}

/** Texts that are no numbers become NaN; the maker may write what it likes. */
const Lenient = BigNumber.clone({ STRICT: false });

/** Longer numbers, or farther from 1 than so many powers of ten, are nobody's price and slow to reckon with. */
const LONGEST = 200;

/** Whether both numbers of a level are above zero and can be reckoned with; the texts may be anything. */
export function isPositive(level: Level): boolean {
  return level.every((text) => {
    if (text.length > LONGEST) return false;
    const value = new Lenient(text);
    return value.isFinite() && value.gt(0) && Math.abs(value.e ?? 0) <= LONGEST;
  });
}

/** Whether the highest bid is below the lowest ask (PROTOCOL 4.3.4); what is no number never is. */
export function isApart(bids: readonly Level[], asks: readonly Level[]): boolean {
  const highest = extreme(bids, (price, so) => price.gt(so));
  const lowest = extreme(asks, (price, so) => price.lt(so));
  return highest === null || lowest === null || highest.lt(lowest);
}

function extreme(levels: readonly Level[], isBetter: (price: BigNumber, so: BigNumber) => boolean): BigNumber | null {
  let found: BigNumber | null = null;
  for (const [text] of levels) {
    const price = new Lenient(text);
    if (price.isNaN()) return price;
    if (found === null || isBetter(price, found)) found = price;
  }
  return found;
}

/** An answer that is no success: every one is JSON with an `error` text (PROTOCOL 7). */
export interface ErrorAnswer {
  /** The maker's own word for it, if it has one. */
  code: string | null;
  sentence: string;
  isWellFormed: boolean;
}

export function readErrorAnswer(body: unknown): ErrorAnswer {
  const parsed = errorBodySchema.safeParse(body);
  if (!parsed.success) return { code: null, sentence: 'without a JSON error text', isWellFormed: false };
  const { code, error } = parsed.data;
  return { code: code === undefined ? null : printable(code), sentence: printable(error), isWellFormed: true };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
