import type { z } from 'zod';
import type { Followed } from '../../contract/book.ts';
import type { ChainConfig, Ladder } from '../../contract/desk-file.ts';
import type { Formula } from '../../contract/formula.ts';
import { SERVICE_CONTRACTS } from '../../contract/hedge.ts';
import type { Address } from '../../protocol/address.ts';
import type { BOOK_EVENTS, LadderMove } from './events.ts';
import { movedBy } from './ladder-move.ts';

/** Who may ask, all of them anew. */
export type CounterpartiesEvent = { body: z.infer<(typeof BOOK_EVENTS)['counterparties_set']> };

/** All rules of what may be signed and filled in a time anew. */
export type ProtectionsEvent = { body: z.infer<(typeof BOOK_EVENTS)['protections_set']> };

/** Something that is set of the whole desk by itself. */
export type DeskEvent = { body: z.infer<(typeof BOOK_EVENTS)['desk_set']> };

type Kind = Exclude<
  keyof typeof BOOK_EVENTS,
  'desk_configured' | 'desk_set' | 'counterparties_set' | 'protections_set'
>;

/** The events that change one chain of the book. An import changes all of it and is read back from the journal. */
export type ChainEvent = {
  [K in Kind]: { time: number; actor: string; kind: K; body: z.infer<(typeof BOOK_EVENTS)[K]> };
}[Kind];

/** The newest published revision of a ladder, whether or not it is sound. */
export interface StoredLadder {
  readonly revision: number;
  readonly time: number;
  readonly actor: string;
  readonly ladder: unknown;
  /** Only of a revision that followed the reference. */
  readonly followed?: Followed;
  /** Where no person published it: the middle of the ladder that one published last, quote per base. */
  readonly anchor?: string;
}

/** A pair as it is stored. A change makes a new object, so that what was worked out from the old one can be kept. */
export interface StoredPair {
  readonly definition: unknown;
  readonly ladder: StoredLadder;
  /** Unix milliseconds; until then the pair is listed and has no prices (PROTOCOL 4.3.7). */
  readonly retiredUntil: number | null;
}

/** A blacklisted user. `until` is Unix milliseconds, null for ever. `onlyHere`: by this desk alone, the service is not told. */
export interface BlacklistedUser {
  readonly address: Address;
  readonly reason: string | null;
  readonly until: number | null;
  readonly onlyHere: boolean;
  readonly since: number;
  readonly actor: string;
}

/** Of the settings of a chain, those that events change one by one. */
export type ChangingSettings = Pick<
  ChainConfig,
  'limits' | 'takers' | 'takersLeftOut' | 'follow' | 'byHand' | 'formulas' | 'router' | 'intentContract'
>;

/** The ladder of a pair for which nothing was published yet. */
export const NO_LADDER: StoredLadder = { revision: 0, time: 0, actor: 'desk', ladder: { bids: [], asks: [] } };

/** The settings of a chain after an event on it; the same object when it changes nothing of them. */
export function foldSettings<Settings extends ChangingSettings>(settings: Settings, event: ChainEvent): Settings {
  switch (event.kind) {
    case 'limits_set':
      return { ...settings, limits: event.body.limits };
    case 'chain_set': {
      // What is not named in it is not there any more, but for what events of its own change.
      const { limits, takers, takersLeftOut, follow: followed, byHand, formulas } = settings;
      const named = { ...(takersLeftOut && { takersLeftOut }), ...(followed && { follow: followed }) };
      const kept = { limits, takers, ...named, ...(byHand && { byHand }), ...(formulas && { formulas }) };
      return { chainId: event.body.chainId, ...event.body.config, ...kept } as unknown as Settings;
    }
    case 'takers_set': {
      const { takers, leftOut } = event.body;
      return leftOut === undefined ? { ...settings, takers } : { ...settings, takers, takersLeftOut: leftOut };
    }
    case 'contract_pinned': {
      const { mode, address } = event.body;
      return { ...settings, [SERVICE_CONTRACTS[mode].field]: address };
    }
    case 'follow_set':
      return follow(settings, event.body.pair, event.body.on);
    case 'hand_set': {
      const { pair, on } = event.body;
      const { byHand = [] } = settings;
      if (byHand.includes(pair) === on) return settings;
      return { ...settings, byHand: on ? [...byHand, pair] : byHand.filter((other) => other !== pair) };
    }
    case 'formula_set':
      return priced(follow(settings, event.body.pair, false), event.body.pair, event.body.formula);
    case 'pair_retired':
      return priced(follow(settings, event.body.pair, false), event.body.pair, null);
    case 'ladder_published': // a person who publishes ends it, unless they say how it goes on
      return event.body.followed === undefined ? follow(settings, event.body.pair, false) : settings;
    default:
      return settings;
  }
}

/** Whether the pair's ladder moves with the reference from now on. */
function follow<Settings extends ChangingSettings>(settings: Settings, pair: string, on: boolean): Settings {
  const { follow: before = [] } = settings;
  if (before.includes(pair) === on) return settings;
  return { ...settings, follow: on ? [...before, pair] : before.filter((other) => other !== pair) };
}

/** The formula by which the pair is priced from now on, or none. */
function priced<Settings extends ChangingSettings>(
  settings: Settings,
  pair: string,
  formula: Formula | null,
): Settings {
  const before = Object.entries(settings.formulas ?? {});
  if (formula === null && !before.some(([id]) => id === pair)) return settings;
  const others = before.filter(([id]) => id !== pair);
  return { ...settings, formulas: Object.fromEntries(formula === null ? others : [...others, [pair, formula]]) };
}

/**
 * A pair after an event on it, undefined when it is not listed. `newest` is the newest revision that the pair ever had, which
 * matters to one that left the list and comes back: it does not come back with its old prices.
 */
export function foldPair(before: StoredPair | undefined, event: ChainEvent, newest: number): StoredPair | undefined {
  const { time, actor } = event;
  switch (event.kind) {
    case 'pair_saved': {
      const { definition } = event.body;
      // Saving does not lift a retirement: that would light a pair by accident.
      if (before !== undefined) return { ...before, definition };
      const ladder = newest === 0 ? NO_LADDER : { ...NO_LADDER, revision: newest + 1, time, actor };
      return { definition, ladder, retiredUntil: null };
    }
    case 'pair_retired':
      return before && { ...before, retiredUntil: event.body.until };
    case 'pair_removed':
      return undefined;
    case 'ladder_published': {
      const { revision, ladder, followed, anchor } = event.body;
      return before && { ...before, ladder: { revision, time, actor, ladder, followed, anchor } };
    }
    default:
      return before;
  }
}

/** A pair after a move of its ladder, which the tables refuse where it cannot be made: there are no prices then. */
export function foldMove(
  before: StoredPair,
  { time, actor }: Pick<ChainEvent, 'time' | 'actor'>,
  move: LadderMove,
): StoredPair {
  const { ladder, followed, anchor } = before.ladder;
  const moved = movedBy(move, ladder as Ladder, followed) ?? { ladder: NO_LADDER.ladder };
  return { ...before, ladder: { revision: move[1], time, actor, ...moved, anchor } };
}

/** What is said of a token after an event on it, undefined when it is not listed. */
export function foldToken(before: unknown, event: ChainEvent): unknown {
  if (event.kind === 'token_removed') return undefined;
  return event.kind === 'token_saved' ? event.body.token : before;
}

/** A user's place on the blacklist after an event on them, undefined when they are not on it. */
export function foldBlacklisted(before: BlacklistedUser | undefined, event: ChainEvent): BlacklistedUser | undefined {
  if (event.kind === 'blacklist_removed') return undefined;
  if (event.kind !== 'blacklist_added') return before;
  const { address, reason, until, onlyHere = false } = event.body;
  return { address, reason, until, onlyHere, since: event.time, actor: event.actor };
}
