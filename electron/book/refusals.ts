import type { StoredPair } from '../journal/book/fold.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { BookMemory } from './book-memory.ts';
import type { ChainState } from './chain-state.ts';

/** The chain as it is durable. Throws DeskError `unknown_chain`. */
export function chainOf(memory: BookMemory, chainId: number): ChainState {
  const chain = memory.committed.chains.get(chainId);
  if (chain) return chain;
  throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`, {
    remedy: 'Import a desk file that has it.',
  });
}

/** The pair as it is durable. Throws DeskError `unknown_chain` or `unknown_pair`. */
export function pairOf(memory: BookMemory, chainId: number, pair: string): StoredPair {
  const stored = chainOf(memory, chainId).pairs.get(pair);
  if (stored) return stored;
  throw new DeskError('unknown_pair', `${pair} is not a listed pair of chain ${chainId}.`, {
    remedy: 'List the pair first.',
  });
}
