import type { Book } from '../book/book.ts';
import type { ChainBook } from '../book/chain-book.ts';
import type { AccountTurns } from '../chain/account-turns.ts';
import type { Guard } from '../guard/guard.ts';
import type { Journal } from '../journal/journal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { ServiceConnection } from '../service/service-connection.ts';
import type { Signer } from '../signer/signer.ts';

/** What hedging is made of. */
export interface HedgeParts {
  readonly book: Pick<Book, 'chain' | 'chains' | 'references' | 'seals'>;
  readonly guard: Pick<Guard, 'trading' | 'orders'>;
  readonly journal: Pick<Journal, 'append' | 'read' | 'put' | 'onAppended'>;
  /** Shared with whoever else sends from the maker's account. */
  readonly accounts: AccountTurns;
  /** The signer of this address, if its key is held. */
  readonly signerFor: (address: string) => Signer | null;
  /** The service of a chain. Throws DeskError `no_service`. */
  readonly service: (chainId: number) => ServiceConnection;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly log: { warn(line: string, facts?: Record<string, unknown>): void };
}

/** The chain, or DeskError `unknown_chain`. */
export function chainOf({ book }: { book: Pick<Book, 'chain'> }, chainId: number): ChainBook {
  const chain = book.chain(chainId);
  if (chain !== undefined) return chain;
  throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
}

/** One sentence for a person of whatever went wrong. */
export function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return said.replaceAll(/\s+/g, ' ').slice(0, 600);
}
