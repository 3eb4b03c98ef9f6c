import type { Formula } from '../../../electron/contract/formula.ts';
import type { TriedFormula } from '../../../electron/contract/formula-prices.ts';

/** What a formula that was tried gives, with the formula: prices never stand beside another one. */
export interface TriedOutcome {
  formula: Formula;
  said: TriedFormula;
}

/**
 * What is known after the desk said something of a formula. For the moment in which it reads its position anew it says nothing, and what it
 * said before goes on standing there.
 */
export function outcomeAfter(
  known: TriedOutcome | null,
  formula: Formula | null,
  said: TriedFormula | undefined,
): TriedOutcome | null {
  if (formula === null || said === undefined || said === known?.said) return known;
  return said.now === null && said.why === null ? known : { formula, said };
}

/** Whether what is known is what this formula gives, not the one that was typed before it. */
export function isOutcomeOf(known: TriedOutcome | null, formula: Formula | null): boolean {
  return known !== null && formula !== null && JSON.stringify(known.formula) === JSON.stringify(formula);
}
