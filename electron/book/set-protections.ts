import { isDeepStrictEqual } from 'node:util';
import type { Protection } from '../contract/protections.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { BookMemory } from './book-memory.ts';
import { FaultyInput } from './faults.ts';
import { protectionFaults } from './protection-check.ts';

/**
 * Sets all rules of what may be signed and filled in a time; they are in force once they are durable. `seen`: the rules that whoever sets them
 * had in view, so that nobody undoes what somebody else set meanwhile. Throws FaultyInput `protections_refused`, DeskError
 * `changed_meanwhile`.
 */
export function setProtections(
  memory: BookMemory,
  now: () => number,
  { protections, seen, actor }: { protections: Protection[]; seen: Protection[]; actor: string },
): Promise<{ seq: number }> {
  return memory.inTurn(async () => {
    if (!isDeepStrictEqual([...(memory.committed.protections ?? [])], seen)) {
      throw new DeskError('changed_meanwhile', 'Somebody changed the protections meanwhile, so yours were not saved.', {
        remedy: 'Look at what they are now, and change that.',
      });
    }
    refuseUnlessSound(memory, protections);
    return { seq: await memory.setProtections({ time: now(), actor, kind: 'protections_set', body: { protections } }) };
  });
}

/** Throws FaultyInput `protections_refused` where the desk could not have such rules. */
export function refuseUnlessSound(memory: Pick<BookMemory, 'chains'>, protections: readonly Protection[]): void {
  const chains = [...memory.chains.values()].map(({ chainId, tokens }) => {
    return { chainId, tokens: Object.fromEntries(tokens) };
  });
  const faults = protectionFaults(protections, chains);
  if (faults.length > 0) throw new FaultyInput('protections_refused', 'The list of protections', faults);
}
