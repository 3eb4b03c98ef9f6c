import { isDeepStrictEqual } from 'node:util';
import type { Database } from 'better-sqlite3';
import { type BookPair, buildChainBook, type ChainBook } from '../book/chain-book.ts';
import type { ChainState } from '../book/chain-state.ts';
import { hasReference } from '../book/combine-sources.ts';
import { formulaFaults } from '../book/formula-check.ts';
import { loadBook } from '../book/load-book.ts';
import { protectionFaults } from '../book/protection-check.ts';
import { ladderSchema } from '../contract/desk-file.ts';
import { repriced } from '../contract/repriced-ladder.ts';
import type { WhatIfSettings } from '../contract/what-if.ts';
import { type OffSides, offReference } from '../guard/off-reference.ts';
import type { StoredPair } from '../journal/book/fold.ts';
import { BOOK } from '../journal/book/slice.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { bookOf } from './decide-again.ts';
import { FormulasThen, momentOfPrice } from './formulas-then.ts';
import type { PastState } from './past-desk.ts';
import { isOver, samplesThen } from './samples-then.ts';

/**
 * Throws DeskError `settings_refused` where settings name what this desk has not: they are another desk's, or a name is mistyped, and
 * would change nothing. `asked` are the pairs of the stretch, which may be gone by now.
 */
export function checkSettings(
  db: Database,
  { formulas = {}, ladders = [], limits = {}, protections = [] }: WhatIfSettings,
  asked: readonly { chainId: number; pair: string }[],
): void {
  const { chains } = loadBook(BOOK.queries(db).storedBook());
  const chainIds = new Set([...chains.keys(), ...asked.map(({ chainId }) => chainId)]);
  const pairs = new Set([
    ...[...chains.values()].flatMap((chain) => [...chain.pairs.keys()]),
    ...asked.map(({ pair }) => pair),
  ]);
  const noChain = (ids: readonly (string | number)[]) =>
    ids.flatMap((id) => (chainIds.has(Number(id)) ? [] : [`${id} is no chain of this desk`]));
  const noPair = (names: readonly string[]) =>
    names.flatMap((pair) => (pairs.has(pair) ? [] : [`${pair} is no pair of this desk`]));
  const listed = [...chains.values()].map(({ chainId, tokens }) => ({ chainId, tokens: Object.fromEntries(tokens) }));
  const faults = [
    ...ladders.flatMap((one) => [...noPair(one.pairs ?? []), ...noChain(one.chains ?? [])]),
    ...noChain(Object.keys(limits)),
    ...noChain(Object.keys(formulas)),
    ...Object.entries(formulas).flatMap(([chainId, ofPairs]) => {
      const chain = chains.get(Number(chainId));
      const known = chain && buildChainBook(chain);
      return Object.entries(ofPairs).flatMap(([pair, formula]) => {
        if (!pairs.has(pair)) return noPair([pair]);
        const found = formulaFaults(formula, { base: known?.pairs.get(pair)?.base ?? null });
        return found.map(({ path, message }) => `the formula of ${pair} on chain ${chainId}: ${path} ${message}`);
      });
    }),
    ...protectionFaults(protections, listed).map(({ path, message }) => {
      const [, place = '', field = path] = /^\[(\d+)\]\.(.*)$/.exec(path) ?? [];
      return `the protection ${protections[Number(place)]?.name}: ${field} ${message}`;
    }),
  ];
  if (faults.length === 0) return;
  // People read names, not places in a document: on the screen there is none.
  throw new DeskError('settings_refused', `The settings do not fit this desk: ${[...new Set(faults)].join('; ')}.`, {
    remedy: 'Fix what is named and ask again. Nothing was changed.',
  });
}

/** A request of the journal, and the pair that it was for. */
interface AskedThen {
  readonly seq: number;
  readonly time: number;
  readonly chainId: number;
  readonly pair: string | null;
}

/** A desk with other settings. */
export interface ChangedDesk {
  readonly state: PastState;
  /**
   * How the pair that is asked for stands against what its reference had said by then, as it may have been closed for; `why`: what of
   * that is not known. Null where its prices are those that it had.
   */
  readonly offReference: ((chain: ChainBook, pair: BookPair) => OffSides | null | { why: string }) | null;
}

const NO_REFERENCE = 'what the reference of the pair said then is not kept, which may have closed what was changed';

/**
 * The desk of a moment with other settings, as far as a request can see it; `why`: what of it is not known. Pairs that stayed the same
 * between two moments are changed once. Moments are asked for in their order.
 */
export function changedDesk(
  db: Database,
  { formulas, ladders = [], limits = {} }: WhatIfSettings,
): (state: PastState, asked: AskedThen) => ChangedDesk | { why: string } {
  if (formulas === undefined && ladders.length === 0 && Object.keys(limits).length === 0) {
    return (state) => ({ state, offReference: null });
  }
  const samples = samplesThen(db);
  const formulasThen = formulas === undefined ? null : new FormulasThen(db, formulas, samples);
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
  return ({ book, trading }, { seq, time, chainId, pair }) => {
    const changed = new Map([...book.chains].map(([id, chain]) => [id, changedChain(chain)]));
    const [then, other] = [book.chains.get(chainId), changed.get(chainId)];
    const stored = pair === null ? undefined : then?.pairs.get(pair);
    let now = pair === null ? undefined : other?.pairs.get(pair);
    let at = time;
    if (formulasThen !== null && then && other && pair !== null && stored) {
      const ladder = formulasThen.ladderAt(bookOf(then), pair, { seq, time });
      if (ladder !== null && 'why' in ladder) return ladder;
      if (ladder !== null) {
        now = repricedPair(ladders, {
          chainId,
          id: pair,
          stored: { ...stored, ladder: { ...stored.ladder, ladder } },
        });
        at = momentOfPrice(time);
        changed.set(chainId, { ...other, pairs: new Map(other.pairs).set(pair, now) });
      }
    }
    const isSame = stored === now || isDeepStrictEqual(pricesOf(stored), pricesOf(now));
    const state = { book: { ...book, chains: changed }, trading };
    return { state, offReference: isSame ? null : (own, listed) => offReferenceAt(samples, own, listed, at) };
  };
}

/** How a pair stands against what its reference had said by `at` (Unix milliseconds); null where it would have been closed for nothing of that. */
function offReferenceAt(
  samples: ReturnType<typeof samplesThen>,
  chain: ChainBook,
  pair: BookPair,
  at: number,
): OffSides | null | { why: string } {
  const { chainId, config } = chain;
  const closes = config.offReferenceCloses !== 'none' || (config.fenceHardBps ?? 0) > 0;
  if (!closes || !hasReference(config, pair.id)) return null;
  const said = samples(chainId, pair.id).knownAt(at).at(-1);
  if (said === undefined || isOver(said, at, config.referenceMaxAgeSeconds * 1_000)) return { why: NO_REFERENCE };
  return offReference(chain, pair, { mid: said.text, time: said.time, heldBack: null });
}

function pricesOf(stored: StoredPair | undefined): unknown {
  const { data } = ladderSchema.safeParse(stored?.ladder.ladder);
  return data && { bids: data.bids.map(([price]) => price), asks: data.asks.map(([price]) => price) };
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
