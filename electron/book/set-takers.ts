import { type Address, ZERO_ADDRESS } from '../protocol/address.ts';
import type { BookMemory } from './book-memory.ts';
import { chainOf } from './refusals.ts';

/**
 * Puts a fetched list of takers in the place of the one in force. A taker that is not on it is refused at once; a new one
 * is signed for once the row is durable. An empty list would allow everybody, so it is never taken.
 */
export async function setTakers(
  memory: BookMemory,
  now: () => number,
  chainId: number,
  takers: readonly Address[],
  actor: string,
): Promise<{ seq: number } | null> {
  const before = chainOf(memory, chainId).settings.takers;
  const wanted = [...new Set(takers)];
  if (wanted.length === 0 || (wanted.length === before.length && wanted.every((taker) => before.includes(taker)))) {
    return null;
  }
  const event = { time: now(), actor, kind: 'takers_set' as const, body: { chainId, takers: wanted } };
  const seq = await memory.stop(event, (chain) => {
    const { takers: allowed } = chain.settings;
    return { ...chain, settings: { ...chain.settings, takers: inBoth(allowed, wanted) } };
  });
  return { seq };
}

/** What both lists allow. None allows all, so nobody is written as an address that no request can name. */
function inBoth(allowed: readonly Address[], wanted: readonly Address[]): Address[] {
  if (allowed.length === 0) return [...wanted];
  const both = allowed.filter((taker) => wanted.includes(taker));
  return both.length > 0 ? both : [ZERO_ADDRESS];
}
