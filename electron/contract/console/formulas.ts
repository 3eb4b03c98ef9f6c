import { z } from 'zod';
import { formulaSchema } from '../formula.ts';
import { formulaRowSchema, triedFormulaSchema } from '../formula-prices.ts';
import { chainIdSchema, pairIdSchema } from '../names.ts';
import { may, pairKey } from './base.ts';

/** The desk's own prices: a formula a pair. */
export const formulasContract = {
  /** Each formula with what it gives now and what that is made of. */
  list: may('look')
    .input(z.object({ chainId: chainIdSchema.optional(), pair: pairIdSchema.optional() }))
    .output(z.array(formulaRowSchema)),
  /** What a formula would give now; nothing of it is kept or served. `unknown_pair`, `formula_refused`. */
  try: may('look')
    .input(pairKey.extend({ formula: formulaSchema }))
    .output(triedFormulaSchema),
  /**
   * Prices a pair by a formula from now on, where `seen` is still the one it has (null: none); else `changed_meanwhile`. It takes the pair
   * over from its reference and from engines; one that a person has taken over waits until it is given back. `unknown_pair`,
   * `pair_retired`, `no_reference`, `formula_refused`.
   */
  set: may('trade')
    .input(pairKey.extend({ formula: formulaSchema, seen: formulaSchema.nullable() }))
    .output(z.object({ seq: z.int() })),
  /** The pair has no formula any more, at once; its ladder stays as it is. `changed_meanwhile`, `unknown_pair`. */
  remove: may('trade')
    .input(pairKey.extend({ seen: formulaSchema }))
    .output(z.object({ seq: z.int() })),
};
