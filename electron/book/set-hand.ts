import type { BookMemory } from './book-memory.ts';
import { pairOf } from './refusals.ts';

/**
 * A person takes a pair over from engines and from its formula, at once, or gives it back to them, once that is written; of several the one that came
 * last counts. Taking over leaves its prices as they are: the last ones of an engine close when they are stale. `seq` is 0 where
 * nobody has taken what is given back. Throws DeskError `unknown_pair`.
 */
export async function setHand(
  memory: BookMemory,
  now: () => number,
  { chainId, pair, on, actor }: { chainId: number; pair: string; on: boolean; actor: string },
): Promise<{ seq: number; on: boolean }> {
  pairOf(memory, chainId, pair);
  const event = { time: now(), actor, kind: 'hand_set' as const, body: { chainId, pair, on } };
  if (on) return { seq: await memory.stop(event), on };
  const [written, inForce] = [memory.committed.chains.get(chainId)?.settings, memory.chains.get(chainId)?.config];
  const isTaken = [written, inForce].some((settings) => settings?.byHand?.includes(pair));
  return { seq: isTaken ? await memory.start(event) : 0, on };
}
