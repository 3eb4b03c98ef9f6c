import { isDeepStrictEqual } from 'node:util';
import type { Scope, StandingStop } from '../contract/trading.ts';
import type { Guard } from '../guard/guard.ts';
import { reasonOf } from '../guard/status.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { scopesAround } from '../signer/scope-key.ts';

interface Parts {
  trading: Pick<Guard['trading'], 'said'>;
}

/** The stops in force of a scope and of those around it, the widest first. */
export function stopsAround({ trading }: Parts, scope: Scope): StandingStop[] {
  return scopesAround(scope).flatMap((around) => {
    const said = trading.said(around);
    if (said === null || said.state === 'LIVE') return [];
    const { state, since, actor } = said;
    return [{ scope: around, state, since, actor, reason: reasonOf(said) }];
  });
}

/**
 * Throws DeskError `overtaken_by_stop` where a stop is in force that whoever resumes had not seen. One of those that is over by now
 * is in nobody's way. Undefined where nobody said what they saw.
 */
export function expectStopsSeen(parts: Parts, scope: Scope, seen: readonly StandingStop[] | undefined): void {
  if (seen === undefined) return;
  const unseen = stopsAround(parts, scope).find((stop) => !seen.some((one) => isDeepStrictEqual(one, stop)));
  if (unseen === undefined) return;
  const { state, actor, reason } = unseen;
  throw new DeskError(
    'overtaken_by_stop',
    `This is ${state} by ${actor}${reason === null ? '' : `: “${reason}”`}, and that came after this resume was decided.`,
    { remedy: 'See why trading was stopped, then resume again.' },
  );
}
