import { z } from 'zod';
import { decimalSchema, signedDecimalSchema } from '../protocol/decimal.ts';

/** Digits that a figure of a formula has before and behind its point at most. */
const MOST_DIGITS = 18;
const TOO_LONG = `must have at most ${MOST_DIGITS} digits before and after the point`;
const isShort = (text: string) =>
  text
    .replace('-', '')
    .split('.')
    .every(({ length }) => length <= MOST_DIGITS);

const figureSchema = decimalSchema.refine(isShort, TOO_LONG);
const aboveZeroSchema = figureSchema.refine((text) => /[1-9]/.test(text), 'must be above zero');
const bpsSchema = figureSchema.refine((text) => Number(text) <= 5_000, 'must be at most 5,000 bps');

/** The levels of one side. */
const formulaSideSchema = z.strictObject({
  /** Of the best level, in base tokens. */
  size: aboveZeroSchema,
  levels: z.int().min(1).max(200),
  /** From each level to the next, bps of the mid. */
  stepBps: bpsSchema,
  /** How many times the level before it each level holds; without it 1. */
  sizeFactor: aboveZeroSchema.optional(),
});
export type FormulaSide = z.infer<typeof formulaSideSchema>;

/**
 * How the desk prices a pair by itself. The best prices are the pair's reference less and plus half the spread, both moved by the skew,
 * widened by volatility and age, and rounded to the tick, bids down and asks up. What is left out does not count.
 */
export const formulaSchema = z.strictObject({
  /** From best bid to best ask before anything widens it, bps of the mid. */
  spreadBps: bpsSchema.refine((text) => /[1-9]/.test(text), 'must be above zero'),
  /** Prices are whole multiples of it, in quote tokens. */
  tick: aboveZeroSchema,
  bids: formulaSideSchema,
  asks: formulaSideSchema,
  /**
   * Moves both prices down by `bpsPerUnit` for each base token that the position is above the target, and up below it, at most as far as
   * one of them comes to the mid. Bids are closed from a position of `limit` on, asks from one of `limit` below zero.
   */
  inventory: z
    .strictObject({
      target: signedDecimalSchema.refine(isShort, TOO_LONG),
      limit: aboveZeroSchema,
      bpsPerUnit: figureSchema,
    })
    .optional(),
  /**
   * Widens each side by `times` what the mid moved more than `calmBps`: between its lowest and its highest within the last
   * `windowSeconds`, bps of the lowest. Above `closesAboveBps` the pair is closed.
   */
  volatility: z
    .strictObject({
      windowSeconds: z.int().min(1).max(900),
      calmBps: bpsSchema,
      times: figureSchema,
      closesAboveBps: bpsSchema.optional(),
    })
    .optional(),
  /** Widens each side by `bpsPerSecond` for what the mid is older than `freeSeconds`. */
  age: z.strictObject({ freeSeconds: figureSchema, bpsPerSecond: figureSchema }).optional(),
  /** Where the best prices would be further apart, bps of the mid, the pair is closed. */
  closesAboveSpreadBps: bpsSchema.optional(),
});
export type Formula = z.infer<typeof formulaSchema>;

/** The formula of a pair among those of its chain, or null. */
export function formulaOf(
  { formulas = {} }: { formulas?: Record<string, Formula> | undefined },
  pair: string,
): Formula | null {
  return Object.hasOwn(formulas, pair) ? (formulas[pair] ?? null) : null;
}

/** A formula in words, part by part, for sentences and comparisons. `figure`: how the reader writes numbers; `base`: the token it is about. */
export function formulaTexts(
  formula: Formula,
  figure = (exact: string) => exact,
  base = 'unit',
): Record<string, string> {
  const { spreadBps, tick, inventory, volatility, age, closesAboveSpreadBps } = formula;
  const side = ({ size, levels, stepBps, sizeFactor = '1' }: FormulaSide) =>
    `${levels} × ${figure(size)}, ${figure(stepBps)} bps apart${sizeFactor === '1' ? '' : `, each ${figure(sizeFactor)} times the size before`}`;
  const closes = (bps: string | undefined) => (bps === undefined ? '' : `, closes above ${figure(bps)} bps`);
  return {
    spread: `${figure(spreadBps)} bps${closes(closesAboveSpreadBps)}`,
    tick: figure(tick),
    bids: side(formula.bids),
    asks: side(formula.asks),
    ...(inventory && {
      inventory: `${figure(inventory.bpsPerUnit)} bps per ${base} from ${figure(inventory.target)}, limit ${figure(inventory.limit)}`,
    }),
    ...(volatility && {
      volatility: `${figure(volatility.times)} times what it is over ${figure(volatility.calmBps)} bps in ${volatility.windowSeconds} s${closes(volatility.closesAboveBps)}`,
    }),
    ...(age && { age: `${figure(age.bpsPerSecond)} bps a second over ${figure(age.freeSeconds)} s` }),
  };
}

/** The same in one line: `spread 5 bps; tick 0.1; …`. */
export function formulaText(formula: Formula): string {
  return Object.entries(formulaTexts(formula))
    .map(([part, text]) => `${part} ${text}`)
    .join('; ');
}
