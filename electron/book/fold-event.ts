import type { NewEvent } from '../journal/events.ts';
import { type BookState, type ChainState, NO_LADDER, type StoredLadder, withEntry } from './chain-state.ts';

/** The events that change one chain of the book. An import changes all of it and is read back from the journal. */
export type ChainEvent = Extract<
  NewEvent,
  {
    kind:
      | 'ladder_published'
      | 'follow_set'
      | 'token_saved'
      | 'token_removed'
      | 'pair_saved'
      | 'pair_retired'
      | 'pair_removed'
      | 'limits_set'
      | 'takers_set'
      | 'contract_pinned'
      | 'blacklist_added'
      | 'blacklist_removed';
  }
>;

/**
 * The book after an event, as the journal's tables have it. `ladderBefore` is the newest revision that a pair had
 * which left the list and comes back: it does not come back with its old prices.
 */
export function foldEvent(state: BookState, event: ChainEvent, ladderBefore?: number): BookState {
  const chain = state.chains.get(event.body.chainId);
  if (chain === undefined) return state;
  return { ...state, chains: withEntry(state.chains, chain.chainId, foldIntoChain(chain, event, ladderBefore)) };
}

function foldIntoChain(chain: ChainState, event: ChainEvent, ladderBefore = 0): ChainState {
  switch (event.kind) {
    case 'token_saved':
      return { ...chain, tokens: withEntry(chain.tokens, event.body.tokenId, event.body.token) };
    case 'token_removed':
      return { ...chain, tokens: withEntry(chain.tokens, event.body.tokenId, undefined) };
    case 'pair_saved': {
      const { pair: id, definition } = event.body;
      const pair = chain.pairs.get(id) ?? { ladder: returningLadder(event, ladderBefore), retiredUntil: null };
      return { ...chain, pairs: withEntry(chain.pairs, id, { ...pair, definition }) };
    }
    case 'pair_retired':
      return retire(chain, event.body.pair, event.body.until);
    case 'pair_removed':
      return { ...chain, pairs: withEntry(chain.pairs, event.body.pair, undefined) };
    case 'ladder_published': {
      const { pair: id, revision, ladder, followed } = event.body;
      const pair = chain.pairs.get(id);
      if (pair === undefined) return chain;
      const published: StoredLadder = { revision, time: event.time, actor: event.actor, ladder, followed };
      const next = { ...chain, pairs: withEntry(chain.pairs, id, { ...pair, ladder: published }) };
      return followed === undefined ? follow(next, id, false) : next;
    }
    case 'follow_set':
      return follow(chain, event.body.pair, event.body.on);
    case 'limits_set':
      return { ...chain, settings: { ...chain.settings, limits: event.body.limits } };
    case 'takers_set':
      return {
        ...chain,
        settings: {
          ...chain.settings,
          takers: event.body.takers,
          takersLeftOut: event.body.leftOut ?? chain.settings.takersLeftOut,
        },
      };
    case 'contract_pinned': {
      const { mode, address } = event.body;
      const pinned = mode === 'market' ? { router: address } : { intentContract: address };
      return { ...chain, settings: { ...chain.settings, ...pinned } };
    }
    case 'blacklist_added': {
      const { address, reason, until, onlyHere = false } = event.body;
      const entry = { address, reason, until, onlyHere, since: event.time, actor: event.actor };
      return { ...chain, barred: withEntry(chain.barred, address, entry) };
    }
    case 'blacklist_removed':
      return { ...chain, barred: withEntry(chain.barred, event.body.address, undefined) };
  }
}

/** From now on the pair is listed without prices, and after `until` (Unix milliseconds) not at all. */
export function retire(chain: ChainState, id: string, until: number): ChainState {
  const pair = chain.pairs.get(id);
  if (pair === undefined) return chain;
  return follow({ ...chain, pairs: withEntry(chain.pairs, id, { ...pair, retiredUntil: until }) }, id, false);
}

/** Whether the pair's ladder moves with the reference from now on. */
export function follow(chain: ChainState, id: string, on: boolean): ChainState {
  const before = chain.settings.follow;
  if (before.includes(id) === on) return chain;
  const after = on ? [...before, id] : before.filter((other) => other !== id);
  return { ...chain, settings: { ...chain.settings, follow: after } };
}

function returningLadder(event: ChainEvent, ladderBefore: number): StoredLadder {
  if (ladderBefore === 0) return NO_LADDER;
  return { ...NO_LADDER, revision: ladderBefore + 1, time: event.time, actor: event.actor };
}
