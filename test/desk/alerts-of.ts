import type { ChainBook } from '../../electron/book/chain-book.ts';
import type { Attention } from '../../electron/contract/desk-view.ts';
import { type AttentionParts, outsideAttention } from '../../electron/desk/attention-outside.ts';
import { Heartbeats } from '../../electron/desk/heartbeats.ts';
import type { ReferenceState } from '../../electron/desk/reference-polls.ts';
import { CHAIN } from '../book/fixture.ts';
import type { OpenDesk } from '../quoting/open-desk.ts';

export const QUIET_REFERENCE: ReferenceState = {
  answeredAt: null,
  fault: null,
  pairFaults: new Map(),
  followers: new Map(),
};

/** All that a desk may be told from outside, where nothing is told. */
export const QUIET_OUTSIDE: AttentionParts['outside'] = {
  references: { of: () => QUIET_REFERENCE, silent: () => [] },
  takers: { of: () => ({ fetchedAt: null, fault: null, named: [], looks: new Map() }) },
  refusals: { list: () => [] },
};

/** What people are told of a chain of the desk. What a test does not give is quiet. */
export function alertsOf(
  { book, guard, now }: Pick<OpenDesk, 'book' | 'guard' | 'now'>,
  outside: Partial<AttentionParts['outside']> = {},
  heartbeats: AttentionParts['heartbeats'] = new Heartbeats(),
  chainId: number = CHAIN,
): Attention[] {
  const whole = { ...QUIET_OUTSIDE, ...outside };
  return outsideAttention({ rooms: { book, guard, now }, heartbeats, outside: whole }, chainOf(book, chainId));
}

function chainOf(book: OpenDesk['book'], chainId: number): ChainBook {
  const chain = book.chain(chainId);
  if (chain === undefined) throw new Error(`There is no chain ${chainId}.`);
  return chain;
}
