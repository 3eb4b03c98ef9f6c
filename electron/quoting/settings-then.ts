import type { Database } from 'better-sqlite3';
import type { ChainState } from '../book/chain-state.ts';
import { below, type Fault, faultsAt, sentenceOf } from '../book/faults.ts';
import { loadBook } from '../book/load-book.ts';
import { protectionFaults } from '../book/protection-check.ts';
import { ladderSchema } from '../contract/desk-file.ts';
import { repriced } from '../contract/repriced-ladder.ts';
import type { WhatIfSettings } from '../contract/what-if.ts';
import type { StoredPair } from '../journal/book/fold.ts';
import { BOOK } from '../journal/book/slice.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { PastState } from './past-desk.ts';

/**
 * Throws DeskError `settings_refused` where settings name what this desk has not: they are another desk's, or a name is mistyped, and
 * would change nothing. `asked` are the pairs of the stretch, which may be gone by now.
 */
export function checkSettings(
  db: Database,
  { ladders = [], limits = {}, protections = [] }: WhatIfSettings,
  asked: readonly { chainId: number; pair: string }[],
): void {
  const { chains } = loadBook(BOOK.queries(db).storedBook());
  const chainIds = new Set([...chains.keys(), ...asked.map(({ chainId }) => chainId)]);
  const pairs = new Set([
    ...[...chains.values()].flatMap((chain) => [...chain.pairs.keys()]),
    ...asked.map(({ pair }) => pair),
  ]);
  const faults: Fault[] = [
    ...ladders.flatMap((one, index) => {
      const at = below('ladders', index);
      return [
        ...unknownOf(`${at}.pairs`, one.pairs, pairs, 'is no pair of this desk'),
        ...unknownOf(`${at}.chains`, one.chains, chainIds, 'is no chain of this desk'),
      ];
    }),
    ...Object.keys(limits).flatMap((chainId) =>
      chainIds.has(Number(chainId)) ? [] : [{ path: below('limits', chainId), message: 'is no chain of this desk' }],
    ),
    ...faultsAt(
      'protections',
      protectionFaults(
        protections,
        [...chains.values()].map(({ chainId, tokens }) => ({ chainId, tokens: Object.fromEntries(tokens) })),
      ),
    ),
  ];
  if (faults.length === 0) return;
  throw new DeskError('settings_refused', `The settings do not fit this desk: ${sentenceOf(faults)}.`, {
    remedy: 'Mend what is named and ask again. Nothing was changed.',
  });
}

function unknownOf<Name>(
  path: string,
  names: readonly Name[] = [],
  known: ReadonlySet<Name>,
  message: string,
): Fault[] {
  return names.flatMap((name, index) =>
    known.has(name) ? [] : [{ path: below(path, index), message: `${name} ${message}` }],
  );
}

/** The desk of a moment with other settings. Pairs that stayed the same between two moments are changed once. */
export function changedDesk({ ladders = [], limits = {} }: WhatIfSettings): (state: PastState) => PastState {
  if (ladders.length === 0 && Object.keys(limits).length === 0) return (state) => state;
  const chains = new WeakMap<ChainState, ChainState>();
  const pairs = new WeakMap<StoredPair, StoredPair>();
  const changedPair = (chainId: number, id: string, stored: StoredPair): StoredPair => {
    const known = pairs.get(stored);
    if (known !== undefined) return known;
    const made = repricedPair(ladders, { chainId, id, stored });
    pairs.set(stored, made);
    return made;
  };
  const changedChain = (chain: ChainState): ChainState => {
    const known = chains.get(chain);
    if (known !== undefined) return known;
    const { chainId } = chain;
    const changed = new Map([...chain.pairs].map(([id, stored]) => [id, changedPair(chainId, id, stored)]));
    const ofChain = limits[`${chainId}`];
    const settings = ofChain === undefined ? chain.settings : { ...chain.settings, limits: ofChain };
    const made = { ...chain, settings, pairs: changed };
    chains.set(chain, made);
    return made;
  };
  return ({ book, trading }) => {
    const changed = new Map([...book.chains].map(([chainId, chain]) => [chainId, changedChain(chain)]));
    return { book: { ...book, chains: changed }, trading };
  };
}

/** A ladder that cannot be changed so (nothing would be left of a size) would not have been published: the pair has none. */
function repricedPair(
  ladders: NonNullable<WhatIfSettings['ladders']>,
  { chainId, id, stored }: { chainId: number; id: string; stored: StoredPair },
): StoredPair {
  const read = ladderSchema.safeParse(stored.ladder.ladder);
  if (!read.success) return stored;
  let ladder: ReturnType<typeof repriced> | typeof read.data = read.data;
  let isChanged = false;
  for (const { pairs, chains, changes } of ladders) {
    if (pairs?.includes(id) === false || chains?.includes(chainId) === false) continue;
    isChanged = true;
    for (const change of changes) ladder = ladder === null ? null : repriced(ladder, change, false);
  }
  if (!isChanged) return stored;
  return { ...stored, ladder: { ...stored.ladder, ladder: ladder ?? { bids: [], asks: [] } } };
}
