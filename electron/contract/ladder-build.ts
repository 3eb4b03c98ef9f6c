import { z } from 'zod';
import { decimalSchema } from '../protocol/decimal.ts';
import { ladderSchema } from './desk-file.ts';
import { chainIdSchema, pairIdSchema } from './names.ts';

/** What one ladder or many are built from. Distances are basis points of the mid, as plain decimals. */
export const buildFormSchema = z.object({
  mid: z.discriminatedUnion('from', [
    z.object({ from: z.literal('reference') }),
    z.object({ from: z.literal('live') }),
    z.object({ from: z.literal('typed'), price: decimalSchema }),
  ]),
  /** From best bid to best ask. */
  spreadBps: decimalSchema,
  /** From each level to the next. */
  stepBps: decimalSchema,
  levels: z.int().min(1).max(50),
  /** Of the first level, in base or in quote tokens; `live` keeps the sizes that are live. */
  size: z.discriminatedUnion('of', [
    z.object({ of: z.literal('base'), amount: decimalSchema }),
    z.object({ of: z.literal('quote'), amount: decimalSchema }),
    z.object({ of: z.literal('live') }),
  ]),
  /** How sizes go on from the first: alike, 1 2 3 … times it, or each `factor` times the one before. */
  shape: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('flat') }),
    z.object({ kind: z.literal('linear') }),
    z.object({ kind: z.literal('factor'), factor: decimalSchema }),
  ]),
});
export type BuildForm = z.infer<typeof buildFormSchema>;

/** A ladder as it was built, or why it could not be. `mid` is what it stands around. */
export const builtLadderSchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema,
  mid: decimalSchema.nullable(),
  ladder: ladderSchema.nullable(),
  fault: z.string().nullable(),
});
export type BuiltLadder = z.infer<typeof builtLadderSchema>;
