import { isDeepStrictEqual } from 'node:util';
import type { Limits } from '../contract/limits.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { BookMemory } from './book-memory.ts';
import { FaultyInput } from './faults.ts';
import { strictestLimits } from './limits.ts';
import { chainOf } from './refusals.ts';
import { limitFaults } from './settings-check.ts';
import { checkToken } from './token-check.ts';

/**
 * Sets the limits of a chain. Where they are stricter than before they are a stop, and in force at once; where they are
 * looser they are a start, and in force once the row is durable. `seen`: what whoever sets all of them anew had in view; a
 * limit that somebody else made stricter meanwhile would be loosened by a person who does not know of it.
 */
export async function setLimits(
  memory: BookMemory,
  now: () => number,
  { chainId, limits, actor, seen }: { chainId: number; limits: Limits; actor: string; seen: Limits | undefined },
): Promise<{ seq: number }> {
  const { tokens } = chainOf(memory, chainId);
  if (seen !== undefined && !isDeepStrictEqual(memory.chains.get(chainId)?.config.limits, seen)) {
    throw new DeskError('limits_changed', 'Other limits are in force than those you saw, so yours were not set.', {
      remedy: 'Open the limits again, and see what was changed meanwhile.',
    });
  }
  const faults = limitFaults(limits, new Map([...tokens].map(([id, token]) => [id, checkToken(id, token)])));
  if (faults.length > 0) throw new FaultyInput('limits_refused', 'The list of limits', faults);
  const seq = await memory.stop({ time: now(), actor, kind: 'limits_set', body: { chainId, limits } }, (chain) => ({
    ...chain,
    settings: { ...chain.settings, limits: strictestLimits(chain.settings.limits, limits) },
  }));
  return { seq };
}
