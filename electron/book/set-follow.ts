import { formulaOf } from '../contract/formula.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { BookMemory } from './book-memory.ts';
import { hasReference } from './combine-sources.ts';
import { checkLadder } from './ladder-check.ts';
import type { PairTurns } from './pair-turns.ts';
import { chainOf, pairOf } from './refusals.ts';

/**
 * Lets a pair's ladder move with the reference (in force once it is written, and nothing of the pair is published until then), or leaves it
 * alone (at once).
 * Throws DeskError `unknown_pair`, `priced_by_formula`, `no_reference`, `pair_retired` or `no_middle`.
 */
export function setFollow(
  memory: BookMemory,
  turns: PairTurns,
  now: () => number,
  { chainId, pair, on, actor }: { chainId: number; pair: string; on: boolean; actor: string },
): Promise<{ seq: number; on: boolean }> {
  const event = () => ({ time: now(), actor, kind: 'follow_set' as const, body: { chainId, pair, on } });
  if (!on) {
    pairOf(memory, chainId, pair);
    return memory.stop(event()).then((seq) => ({ seq, on }));
  }
  const start = async () => {
    const { ladder, retiredUntil } = pairOf(memory, chainId, pair);
    if (formulaOf(chainOf(memory, chainId).settings, pair) !== null) {
      throw new DeskError('priced_by_formula', `${pair} is priced by its formula.`, {
        remedy: 'Remove the formula first: its mid is the reference already.',
      });
    }
    if (!hasReference(chainOf(memory, chainId).settings, pair)) {
      throw new DeskError('no_reference', `Chain ${chainId} has no reference that ${pair} could follow.`, {
        remedy: 'Name one under Settings, Chains.',
      });
    }
    if (retiredUntil !== null) throw new DeskError('pair_retired', `${pair} is retired and has no prices any more.`);
    const { bids, asks } = checkLadder(ladder.ladder).value ?? { bids: [], asks: [] };
    if (bids.length === 0 || asks.length === 0) {
      throw new DeskError('no_middle', `${pair} has levels on one side only, so it has no middle to move.`, {
        remedy: 'Publish both sides first.',
      });
    }
    return { seq: await memory.start(event()), on };
  };
  return turns.run(chainId, pair, () => memory.inTurn(start));
}
