import { type Address, ZERO_ADDRESS } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { BookMemory } from './book-memory.ts';
import type { ChainBook } from './chain-book.ts';
import { chainOf } from './refusals.ts';

/** A person's word on one execution contract: orders may name it from now on, or not any more. */
export interface TakerChange {
  chainId: number;
  address: Address;
  taken: boolean;
  reason?: string | undefined;
  actor: string;
}

/**
 * Takes an execution contract once that is durable, or leaves it out at once: it is not asked about again then. Throws
 * DeskError `unknown_chain`, `never_taker` for an address that no order may name, and `last_taker`, because an empty list
 * would allow everybody on a practice desk and nobody elsewhere.
 */
export async function setTaker(memory: BookMemory, now: () => number, change: TakerChange): Promise<{ seq: number }> {
  const { chainId, address, taken, reason, actor } = change;
  if (taken) {
    const is = inForce(memory, chainId).never.get(address);
    if (is !== undefined) {
      throw new DeskError('never_taker', `${address} is ${is}: no order may name it as its taker.`, {
        remedy: 'Ask the service which contract it really fills with.',
      });
    }
    return { seq: (await add(memory, now, { chainId, takers: () => [address], actor, reason })) ?? 0 };
  }
  const { takers, takersLeftOut = [] } = inForce(memory, chainId).config;
  const others = takers.filter((taker) => taker !== address);
  if (others.length === 0 && takers.length > 0) {
    throw new DeskError('last_taker', 'The last taker of a chain is not left out: without a list nothing is checked.', {
      remedy: `Take another one first, or halt the chain: makerdesk halt --chain ${chainId}.`,
    });
  }
  const leftOut = [...takersLeftOut.filter((taker) => taker !== address), address];
  const event = {
    time: now(),
    actor,
    kind: 'takers_set' as const,
    body: { chainId, takers: others, leftOut, reason: reason ?? null },
  };
  const seq = await memory.stop(event, (chain) => {
    const kept = chain.settings.takers.filter((taker) => taker !== address);
    // None would allow everybody: then it is one that no order may name.
    const named = kept.length === 0 && chain.settings.takers.length > 0 ? [ZERO_ADDRESS] : kept;
    const isLeftOut = [...(chain.settings.takersLeftOut ?? []).filter((taker) => taker !== address), address];
    return { ...chain, settings: { ...chain.settings, takers: named, takersLeftOut: isLeftOut } };
  });
  return { seq };
}

function inForce(memory: BookMemory, chainId: number): ChainBook {
  const { chainId: known } = chainOf(memory, chainId);
  const chain = memory.chains.get(known);
  if (chain === undefined) throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
  return chain;
}

/**
 * Takes execution contracts beside those in force, but for those that a person has left out; null when none is new. Throws
 * DeskError `unknown_chain`.
 */
export function addTakers(
  memory: BookMemory,
  now: () => number,
  { takers, ...change }: { chainId: number; takers: readonly Address[]; actor: string },
): Promise<number | null> {
  const wanted = (leftOut: readonly Address[]) => takers.filter((taker) => !leftOut.includes(taker));
  return add(memory, now, { ...change, takers: wanted });
}

/** What is wanted is told once the list is known that it comes on: as it is under stops that are not durable yet. */
function add(
  memory: BookMemory,
  now: () => number,
  change: {
    chainId: number;
    takers: (leftOut: readonly Address[]) => readonly Address[];
    actor: string;
    reason?: string | undefined;
  },
): Promise<number | null> {
  const { chainId, actor, reason } = change;
  return memory.inTurn(async () => {
    const { takers: before, takersLeftOut = [] } = inForce(memory, chainId).config;
    const wanted = change.takers(takersLeftOut);
    const named = before.filter((taker) => taker !== ZERO_ADDRESS);
    const takers = [...new Set([...named, ...wanted])];
    if (takers.length === named.length) return null;
    const leftOut = takersLeftOut.filter((taker) => !wanted.includes(taker));
    const body = { chainId, takers, leftOut, reason: reason ?? null };
    return memory.start({ time: now(), actor, kind: 'takers_set', body });
  });
}
