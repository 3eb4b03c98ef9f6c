import { z } from 'zod';
import type { ErrorCode } from '../protocol/desk-error.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from './names.ts';

/** Pairs in one update at most. */
const MOST_PAIRS = 1_000;

/** What is said of pairs, by their ID; each pair is judged by itself, so that a bad one takes no other with it. */
const ofPairsSchema = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object, by pair',
  )
  .refine((pairs) => Object.keys(pairs).length <= MOST_PAIRS, `must have at most ${MOST_PAIRS} pairs`);

const updateFields = {
  /** Counts the updates of one token on one chain: 1 begins anew, each one after it is one more. */
  sequence: z.int().min(1),
  /** Whole ladders. */
  prices: ofPairsSchema.optional(),
  /** Where the middle of a ladder is to be, quote per base. */
  mids: ofPairsSchema.optional(),
  /** What a source of the kind `push` says: a mid, or a bid and an ask, quote per base. It moves no ladder. */
  references: ofPairsSchema.optional(),
};

type Said = { prices?: unknown; mids?: unknown; references?: unknown };
const saysOne = ({ prices, mids, references }: Said) =>
  [prices, mids, references].filter((said) => said !== undefined).length === 1;
const ONE = 'must have either prices, mids or references';

/** What an engine pushes: the body of a PUT. */
export const priceUpdateSchema = z.strictObject(updateFields).refine(saysOne, ONE);
export type PriceUpdate = z.infer<typeof priceUpdateSchema>;

/** The same on a WebSocket, where it says which chain it is about. */
export const priceMessageSchema = z.strictObject({ chainId: chainIdSchema, ...updateFields }).refine(saysOne, ONE);

/** Why the prices of one pair were not taken. */
export interface PriceRefusal {
  code: ErrorCode;
  error: string;
}

/** What became of an update: the revision by which each pair is served since, and why others were not taken. */
export interface PriceAnswer {
  sequence: number;
  revisions: Record<string, number>;
  refused: Record<string, PriceRefusal>;
}

/** How an engine does on one chain, as people see it. */
export const pushLineSchema = z.object({
  token: z.string(),
  /** When anything last came of it, Unix milliseconds. */
  lastAt: timeSchema,
  /** Updates within the last ten whole seconds. */
  updates: z.int(),
  /** What was last refused, and when. */
  lastError: z.object({ error: z.string(), at: timeSchema }).nullable(),
  /** Pairs whose live ladder came with this token. */
  pairs: z.array(pairIdSchema),
});
export type PushLine = z.infer<typeof pushLineSchema>;
