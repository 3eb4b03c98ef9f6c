import type { z } from 'zod';
import type { Address } from '../../protocol/address.ts';
import type { Pair, PriceEntry, Token } from '../../protocol/wire.ts';

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
