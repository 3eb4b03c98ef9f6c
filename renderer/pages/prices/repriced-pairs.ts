import type { Draft } from '../../../electron/contract/book.ts';
import { repriced } from '../../../electron/contract/repriced-ladder.ts';
import { type ListedPair, pairKey } from '../../state/live-desk.ts';
import { isInverse, type RepriceOrder } from '../../state/reprice.ts';
import { type LadderValues, valuesOfDraft } from './ladder-values.ts';

/** What a change makes of the draft of one pair; `after` is null where it cannot be made. */
export interface Repriced {
  pair: ListedPair;
  draft: Draft;
  before: LadderValues;
  after: LadderValues | null;
}

/** A pair whose draft is not known: it is being read, or `error` says why it was not. */
export interface UnreadPair {
  pair: ListedPair;
  draft: null;
  error: unknown;
}

/** Every pair of an order in its order, with what the change makes of its draft as far as that was read. */
export function repricedPairs(
  order: RepriceOrder,
  drafts: readonly { data: Draft | undefined; error: unknown }[],
): (Repriced | UnreadPair)[] {
  return order.pairs.map((pair, at) => {
    const { data: draft, error = null } = drafts[at] ?? {};
    if (draft === undefined) return { pair, draft: null, error };
    const before = valuesOfDraft(draft);
    const isEmpty = before.bids.length + before.asks.length === 0;
    return { pair, draft, before, after: isEmpty ? null : repriced(before, order.change, isInverse(pair, order)) };
  });
}

/** What would be written, of the pairs that nobody took out (`left`), and which of them are not known: until then nothing is. */
export function toReprice(
  rows: readonly (Repriced | UnreadPair)[],
  left: ReadonlySet<string>,
): { chosen: Repriced[]; unread: UnreadPair[] } {
  const chosen: Repriced[] = [];
  const unread: UnreadPair[] = [];
  for (const row of rows) {
    if (left.has(pairKey(row.pair))) continue;
    if (row.draft === null) unread.push(row);
    else if (row.after !== null) chosen.push(row);
  }
  return { chosen, unread };
}
