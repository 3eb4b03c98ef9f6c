import type { Scope } from '../contract/trading.ts';
import type { JournalEvent } from '../journal/events.ts';
import type { StoredTradingState } from '../journal/stored.ts';
import type { Side } from '../protocol/side.ts';

type Imported = Extract<JournalEvent, { kind: 'desk_configured' }>;

/**
 * The states after an import, as the journal has them: the switches of pairs and sides are replaced, the states of the
 * desk and of chains that stay are kept. So are stops that came after it: those `isUnwritten`, or later than it.
 */
export function statesAfterImport(
  states: readonly StoredTradingState[],
  { time, actor, body }: Imported,
  isUnwritten: (scope: Scope) => boolean,
): StoredTradingState[] {
  const listed = new Set(body.desk.chains.map(({ chainId }) => chainId));
  const kept = states.filter(({ scope, since }) => {
    if (isUnwritten(scope) || since > time || scope.chainId === undefined) return true;
    return scope.pair === undefined && listed.has(scope.chainId);
  });
  const off = body.desk.chains.flatMap((chain) => switchedOff(chain.chainId, chain.off));
  const because = { state: 'HALTED', reason: null, actor, since: time, until: null, cause: null } as const;
  return [...off.map((scope) => ({ scope, ...because })), ...kept];
}

/** The scopes that `off` of the desk file switches off: a pair when both of its sides are named. */
function switchedOff(chainId: number, off: Readonly<Record<string, readonly Side[]>>): Scope[] {
  return Object.entries(off).flatMap(([pair, sides]) =>
    new Set(sides).size === 2 ? [{ chainId, pair }] : sides.map((side) => ({ chainId, pair, side })),
  );
}
