import { wholeSays } from '../contract/approvals.ts';
import { utcText } from '../contract/names.ts';
import { type PersonRow, RIGHTS, type Right, whoMay } from '../contract/rights.ts';
import type { StoredApproval } from '../journal/approvals/fold.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { CallContext } from './handlers/base.ts';

/** Who asks or answers: by the token they came with, whatever they are called. */
export type Person = Pick<CallContext, 'actor' | 'token' | 'may'>;

/**
 * Expects that a person may say yes or no to what waits: it is not their own, unless nobody else is there and its day is over, and
 * they have its right. `now` is Unix milliseconds. Throws DeskError `own_approval`, `not_allowed`.
 */
export function expectMayAnswer(
  found: StoredApproval,
  who: Person,
  { people, now }: { people: readonly PersonRow[]; now: number },
): void {
  const { aloneFrom, seq } = found;
  const isLeftToThem = aloneFrom !== undefined && now >= aloneFrom && !isAnswered(found, people);
  if (found.token === who.token && !isLeftToThem) {
    const ask =
      aloneFrom === undefined || isAnswered(found, people)
        ? `Ask ${whoElse(found, people)}`
        : `Nobody else is there: approve it yourself from ${utcText(aloneFrom)} on`;
    throw new DeskError('own_approval', `You asked for this yourself: ${wholeSays(found)}.`, {
      remedy: `${ask}, or take it back: makerdesk approvals withdraw ${seq}.`,
    });
  }
  if (!who.may().includes(found.right)) {
    const name = RIGHTS[found.right].name;
    throw new DeskError('not_allowed', `${who.actor} may not answer this: it takes the right “${name}”.`, {
      remedy: `Ask ${whoElse(found, people)}.`,
    });
  }
}

/** Whether somebody else is there to answer what the user who runs the desk asked for. */
export function isAnswered({ right }: { right: Right }, [, ...others]: readonly PersonRow[]): boolean {
  return others.some(({ may }) => may.includes(right));
}

/** Whom to ask but the one who asked. */
export function whoElse(
  { token, right }: { token: string | null; right: Right },
  [owner, ...others]: readonly PersonRow[],
): string {
  if (token !== null) {
    return whoMay(right, owner === undefined ? others : [owner, ...others.filter(({ name }) => name !== token)]);
  }
  const names = others.flatMap(({ name, may }) => (may.includes(right) ? [name] : []));
  return names.length === 0 ? 'somebody who is given a token with that right' : names.join(' or ');
}
