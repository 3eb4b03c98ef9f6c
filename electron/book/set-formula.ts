import { isDeepStrictEqual } from 'node:util';
import { type Formula, formulaOf } from '../contract/formula.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { BookMemory } from './book-memory.ts';
import { hasReference } from './combine-sources.ts';
import { FaultyInput } from './faults.ts';
import { formulaFaults } from './formula-check.ts';
import { chainOf, pairOf } from './refusals.ts';

/** `seen`: the formula that whoever changes it had in view, null: none. `formula` null removes it. */
export interface FormulaChange {
  readonly chainId: number;
  readonly pair: string;
  readonly formula: Formula | null;
  readonly seen: Formula | null;
  readonly actor: string;
}

/**
 * Prices a pair by a formula, once that is written, or by none any more, at once: then its ladder stays as it is. Throws DeskError
 * `unknown_pair` or `changed_meanwhile`, and where there is a formula as `expectFormula` does.
 */
export async function setFormula(
  memory: BookMemory,
  now: () => number,
  { chainId, pair, formula, seen, actor }: FormulaChange,
): Promise<{ seq: number }> {
  const expectUnchanged = () => {
    pairOf(memory, chainId, pair);
    if (!isDeepStrictEqual(formulaOf(chainOf(memory, chainId).settings, pair), seen)) {
      const so = formula === null ? 'it was not removed' : 'yours was not set';
      throw new DeskError('changed_meanwhile', `Somebody changed the formula of ${pair} meanwhile, so ${so}.`, {
        remedy: 'Look at what it is now, and change that.',
      });
    }
  };
  const event = () => ({ time: now(), actor, kind: 'formula_set' as const, body: { chainId, pair, formula } });
  if (formula === null) {
    expectUnchanged();
    return { seq: await memory.stop(event()) };
  }
  return memory.inTurn(async () => {
    expectUnchanged();
    expectFormula(memory, chainId, pair, formula);
    return { seq: await memory.start(event()) };
  });
}

/**
 * Expects that a formula can price a pair. Throws DeskError `unknown_pair`, `pair_retired` or `no_reference`, and FaultyInput
 * `formula_refused`.
 */
export function expectFormula(memory: BookMemory, chainId: number, pair: string, formula: Formula): void {
  const { retiredUntil } = pairOf(memory, chainId, pair);
  if (retiredUntil !== null) throw new DeskError('pair_retired', `${pair} is retired and has no prices any more.`);
  if (!hasReference(chainOf(memory, chainId).settings, pair)) {
    throw new DeskError(
      'no_reference',
      `Chain ${chainId} has no reference that the formula of ${pair} could begin with.`,
      {
        remedy: 'Name one under Settings, Chains.',
      },
    );
  }
  const base = memory.chains.get(chainId)?.pairs.get(pair)?.base ?? null;
  const faults = formulaFaults(formula, { base });
  if (faults.length > 0) throw new FaultyInput('formula_refused', 'The formula', faults);
}
