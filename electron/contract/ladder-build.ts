import { z } from 'zod';
import { decimalSchema } from '../protocol/decimal.ts';
import { ladderSchema } from './desk-file.ts';
import { chainIdSchema, pairIdSchema } from './names.ts';

/** As many levels as a side of a ladder may have. */
export const MOST_LEVELS = 200;

/**
 * What one ladder or many are built from. Distances are basis points of the mid, as plain decimals. `kept` is what each pair's
 * draft has as it stands, or what is live of it while the draft has a fault.
 */
export const buildFormSchema = z.object({
  mid: z.discriminatedUnion('from', [
    z.object({ from: z.literal('reference') }),
    z.object({ from: z.literal('kept') }),
    z.object({ from: z.literal('typed'), price: decimalSchema }),
  ]),
  /** From best bid to best ask. */
  spreadBps: decimalSchema,
  /** From each level to the next: the same everywhere, or on each side as it is. */
  step: z.discriminatedUnion('of', [
    z.object({ of: z.literal('even'), bps: decimalSchema }),
    z.object({ of: z.literal('kept') }),
  ]),
  /** Of each side; null: as many as it has. */
  levels: z.int().min(1).max(MOST_LEVELS).nullable(),
  /**
   * Of the first level, in base or in quote tokens; `kept`: every size as it is; `payable`: as much as can be paid in all, the base
   * tokens on asks and the quote tokens on bids.
   */
  size: z.discriminatedUnion('of', [
    z.object({ of: z.literal('base'), amount: decimalSchema }),
    z.object({ of: z.literal('quote'), amount: decimalSchema }),
    z.object({ of: z.literal('kept') }),
    z.object({ of: z.literal('payable') }),
  ]),
  /** How sizes go on from the first: alike, 1 2 3 … times it, each `factor` times the one before, or in the proportions that there are. */
  shape: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('flat') }),
    z.object({ kind: z.literal('linear') }),
    z.object({ kind: z.literal('factor'), factor: decimalSchema.max(20, 'must have at most 20 digits') }),
    z.object({ kind: z.literal('kept') }),
  ]),
});
export type BuildForm = z.infer<typeof buildFormSchema>;

/** The shape that a pair's ladder has: its draft's, or what is live while the draft has a fault. */
export const foundShapeSchema = z.object({
  bids: z.int(),
  asks: z.int(),
  /** So exact that a ladder built with it around its mid has the same best prices; null without both sides. */
  spreadBps: decimalSchema.nullable(),
  /** On average, rounded up; null where no side has two levels. */
  stepBps: decimalSchema.nullable(),
});
export type FoundShape = z.infer<typeof foundShapeSchema>;

/** A ladder as it was built, or why it could not be. `mid` is what it stands around. */
export const builtLadderSchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema,
  mid: decimalSchema.nullable(),
  ladder: ladderSchema.nullable(),
  fault: z.string().nullable(),
});
export type BuiltLadder = z.infer<typeof builtLadderSchema>;
