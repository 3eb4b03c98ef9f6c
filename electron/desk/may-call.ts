import { consoleRights, EVERY_RIGHT, type PersonRow, RIGHTS, type Right, whoMay } from '../contract/rights.ts';
import type { Token } from '../contract/tokens.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { CallContext } from './handlers/base.ts';

/** Everybody who has a console: the user who runs the desk first. */
export function peopleOf(owner: string, tokens: readonly Token[]): PersonRow[] {
  const others = tokens.map(({ name, rights }) => ({ name, may: consoleRights(rights) }));
  return [{ name: owner, may: [...EVERY_RIGHT] }, ...others.filter(({ may }) => may.length > 0)];
}

/**
 * Expects that whoever calls has the right that the contract asks for; an operation for which none stands there is for nobody. Throws
 * DeskError `not_allowed`, which says who could do it.
 */
export function expectMay(
  right: Right | undefined,
  { actor, may }: Pick<CallContext, 'actor' | 'may'>,
  people: () => readonly PersonRow[],
): asserts right is Right {
  if (right !== undefined && may().includes(right)) return;
  if (right === undefined) throw new DeskError('not_allowed', 'Nobody may do this: no right stands for it.');
  throw new DeskError('not_allowed', `${actor} may not do this: it takes the right “${RIGHTS[right].name}”.`, {
    remedy: `Ask ${whoMay(right, people())}.`,
  });
}
