import type { Address, Hex } from '../protocol/address.ts';
import type { Holding } from './holdings.ts';

/** A chain as the desk sees it: everything in it was read at `block`. Replaced whole, never changed. */
export interface ChainView {
  /** `timestamp` is Unix seconds. Null until the chain was seen, and after it turned out to be another one. */
  block: { number: number; hash: Hex; timestamp: number } | null;
  /** When the node last gave a good answer, Unix milliseconds; null when it never did. Old means unseen. */
  seenAt: number | null;
  /** How long it took to say where it is, milliseconds. */
  tookMs?: number;
  /** What the maker holds of each listed token. A token that could not be read is missing. */
  balances: ReadonlyMap<Address, Holding>;
  /** Listed tokens whose contract does not answer like an ERC-20. */
  unreadable: readonly Address[];
  /** What happened, what it means, what to do; null when all is well. It is for people: `seenAt` is what closes a chain. */
  fault: string | null;
  /** Only while a spare node is asked in the place of the first: which, and why. For people. */
  spare?: string | undefined;
  /** For a day after fills or cancels were taken back that one node told and that were never there: which. For people. */
  neverThere?: string | undefined;
  /** Only while it is so: the second node says otherwise, or does not say. */
  unconfirmed?: 'disagree' | 'silent';
}

/** A chain of which nothing is known. */
export function unseenView(fault: string | null): ChainView {
  return { block: null, seenAt: null, balances: new Map(), unreadable: [], fault };
}
