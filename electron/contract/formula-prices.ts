import { z } from 'zod';
import { decimalSchema, fromRaw, signedDecimalSchema } from '../protocol/decimal.ts';
import { ladderSchema } from './desk-file.ts';
import { type Formula, formulaSchema } from './formula.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from './names.ts';

/** What a formula works with, all of it exact. */
export const formulaInputsSchema = z.object({
  /** The pair's reference, quote per base. */
  mid: decimalSchema,
  /** How old that is, milliseconds. */
  ageMs: z.int().nonnegative(),
  /** What the desk is long (+) or short (-) of the base token by its fills and hedges, token units; null where the formula does not ask. */
  position: signedDecimalSchema.nullable(),
  /** Between the lowest and the highest mid of the window, bps of the lowest, rounded up to a hundredth; null where the formula does not ask. */
  volatilityBps: decimalSchema.nullable(),
});
export type FormulaInputs = z.infer<typeof formulaInputsSchema>;

/** What a term adds to a price: + is up. Of the mid and of the total it is the price itself, and of the mid no bps. */
const termShareSchema = z.object({ bps: signedDecimalSchema, price: signedDecimalSchema });
export type TermShare = z.infer<typeof termShareSchema>;

/** The terms of a price in the order in which they are added up. */
export const FORMULA_TERMS = ['mid', 'spread', 'skew', 'volatility', 'age', 'rounding'] as const;
export type FormulaTerm = (typeof FORMULA_TERMS)[number];

/**
 * What can close a pair. Of the reference (`age`, `sources_fresh`, `sources_apart`) and of the formula: its volatility, its spread, its
 * position, and a price or a size that would come to nothing.
 */
export const CLOSINGS = [
  'age',
  'sources_fresh',
  'sources_apart',
  'volatility',
  'spread',
  'position',
  'levels',
] as const;

/** Something that closes the pair, or one side of it, and how near it is. */
export const formulaClosingSchema = z.object({
  by: z.enum(CLOSINGS),
  closes: z.enum(['pair', 'bids', 'asks']),
  /**
   * Where it stands and where it closes: seconds of `age`, sources of `sources_fresh` (closed below the limit, all others above or
   * at it), bps of `sources_apart`, `volatility` and `spread`, base tokens of `position`. Null where nothing is known, or it has no figure.
   */
  now: signedDecimalSchema.nullable(),
  limit: signedDecimalSchema.nullable(),
  /** Hundredths of the way to closing, rounded down, 0 to 100; 100 as soon as it closes. */
  nearPercent: z.int().min(0).max(100),
  /** Why it is closed now, as the end of a sentence; null while it is open. */
  why: z.string().nullable(),
});
export type FormulaClosing = z.infer<typeof formulaClosingSchema>;

/**
 * What a formula gives: a pure result of the formula and its inputs. The shares of the terms, in the order of `FORMULA_TERMS`, add up to
 * `bid` and `ask` exactly; both are worked out also for a side that is closed.
 */
export const formulaPriceSchema = z.object({
  inputs: formulaInputsSchema,
  terms: z.array(z.object({ term: z.enum(FORMULA_TERMS), bid: termShareSchema, ask: termShareSchema })),
  /** The best prices, to the tick; `bps` from the mid. */
  total: z.object({ bid: termShareSchema, ask: termShareSchema }),
  /** How much of the skew the formula asks for, where the mid did not let all of it through; bps, null where all of it counts. */
  skewAskedBps: signedDecimalSchema.nullable(),
  /** What is served: a side that is closed is empty. */
  ladder: ladderSchema,
  /** What closes by the formula itself, whether or not it does now. */
  closings: z.array(formulaClosingSchema),
});
export type FormulaPrice = z.infer<typeof formulaPriceSchema>;

/** A formula of the desk, with what it gives now. */
export const formulaRowSchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema,
  formula: formulaSchema,
  /** Who prices the pair now: a person who took it over, or the formula. */
  pricedBy: z.enum(['hand', 'formula']),
  /** Why it gives no prices now, one sentence's end; null where it does, and for the moment in which its position is read anew. */
  why: z.string().nullable(),
  /** What it gives by what is known now; null where something of that is not. */
  now: formulaPriceSchema.nullable(),
  /** By which formula the live revision was made, and of what; null where somebody else published that, or the desk has been started since. */
  served: z
    .object({ revision: z.int(), time: timeSchema, formula: formulaSchema, price: formulaPriceSchema })
    .nullable(),
  /** Everything that closes the pair, its reference too: what does now first, then the nearest. */
  closings: z.array(formulaClosingSchema),
});
export type FormulaRow = z.infer<typeof formulaRowSchema>;

/** What a formula would give now. `why`: what is not known, or what closes the whole pair. */
export const triedFormulaSchema = formulaRowSchema.pick({ why: true, now: true, closings: true });
export type TriedFormula = z.infer<typeof triedFormulaSchema>;

/** How a term came to its share, in words: `38 of 140, target 20: 0.03 bps a unit`. `figure`: how the reader writes numbers. */
export function termText(
  formula: Formula,
  { inputs, skewAskedBps }: FormulaPrice,
  term: FormulaTerm,
  figure: (exact: string, places?: number) => string = (exact) => exact,
  base = 'unit',
): string {
  const { inventory, volatility, age } = formula;
  switch (term) {
    case 'mid':
      return 'the reference';
    case 'spread':
      return `half of ${figure(formula.spreadBps)} bps`;
    case 'skew': {
      if (inventory === undefined) return 'none';
      const { target, limit, bpsPerUnit } = inventory;
      const all = skewAskedBps === null ? '' : `; ${figure(skewAskedBps)} bps would pass the mid`;
      return `${figure(inputs.position ?? '0')} of ${figure(limit)}, target ${figure(target)}: ${figure(bpsPerUnit)} bps per ${base}${all}`;
    }
    case 'volatility': {
      if (volatility === undefined) return 'none';
      const { windowSeconds, calmBps, times } = volatility;
      return `${figure(inputs.volatilityBps ?? '0')} bps in ${windowSeconds} s, calm ${figure(calmBps)}, times ${figure(times)}`;
    }
    case 'age': {
      if (age === undefined) return 'none';
      const seconds = fromRaw(BigInt(inputs.ageMs), 3);
      return `${figure(seconds, 1)} s, free ${figure(age.freeSeconds)} s, ${figure(age.bpsPerSecond)} bps a second`;
    }
    case 'rounding':
      return `outward to ${figure(formula.tick)}`;
  }
}
