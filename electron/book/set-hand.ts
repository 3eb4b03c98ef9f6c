import type { BookMemory } from './book-memory.ts';
import { pairOf } from './refusals.ts';

/**
 * A person takes a pair over from engines, at once, or gives it back to them, once that is written. Taking over leaves its
 * prices as they are: the last ones of an engine close when they are stale. Throws DeskError `unknown_pair`.
 */
export async function setHand(
  memory: BookMemory,
  now: () => number,
  { chainId, pair, on, actor }: { chainId: number; pair: string; on: boolean; actor: string },
): Promise<{ seq: number; on: boolean }> {
  pairOf(memory, chainId, pair);
  const event = { time: now(), actor, kind: 'hand_set' as const, body: { chainId, pair, on } };
  const seq = await (on ? memory.stop(event) : memory.inTurn(() => memory.start(event)));
  return { seq, on };
}
