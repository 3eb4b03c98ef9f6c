import {
  type ChainEvent,
  type CounterpartiesEvent,
  type DeskEvent,
  foldBlacklisted,
  foldMove,
  foldPair,
  foldSettings,
  foldToken,
  type ProtectionsEvent,
} from '../journal/book/fold.ts';
import { type BookState, type ChainState, type SetApart, withEntry } from './chain-state.ts';

/**
 * The book after an event, as the journal's tables have it. `newest` is the newest revision that a pair had which left the
 * list and comes back.
 */
export function foldEvent(state: BookState, event: ChainEvent, newest?: number): BookState {
  const chain = state.chains.get(event.body.chainId);
  if (chain === undefined) return state;
  return { ...state, chains: withEntry(state.chains, chain.chainId, foldIntoChain(chain, event, newest)) };
}

/** The whole desk after something of it was set. */
export function foldDesk(state: BookState, { body }: DeskEvent): BookState {
  const { lockAfterMinutes, remoteSigner, deadManMinutes } = body;
  return {
    ...state,
    surfaceNames: body.surfaceNames ?? state.surfaceNames,
    lockAfterMinutes: lockAfterMinutes === undefined ? state.lockAfterMinutes : lockAfterMinutes,
    remoteSigner: remoteSigner === undefined ? state.remoteSigner : remoteSigner,
    deadManMinutes: deadManMinutes === undefined ? state.deadManMinutes : deadManMinutes,
    setApart: remoteSigner === undefined ? state.setApart : without(state.setApart, 'signer'),
  };
}

/** The book after its counterparties were set. */
export function foldCounterparties(state: BookState, { body }: CounterpartiesEvent): BookState {
  const { counterparties, fingerprints } = body;
  return { ...state, counterparties, fingerprints, setApart: without(state.setApart, 'counterparty') };
}

/** The whole desk with other rules of what may be signed and filled in a time. */
export function foldProtections(state: BookState, { body }: ProtectionsEvent): BookState {
  return { ...state, protections: body.protections, setApart: without(state.setApart, 'protections') };
}

/** What was set apart of this is not there any more: all of it was set anew. */
function without(setApart: readonly SetApart[], kind: SetApart['kind']): readonly SetApart[] {
  return setApart.filter((one) => one.kind !== kind);
}

/** A chain after an event on it. */
export function foldIntoChain(chain: ChainState, event: ChainEvent, newest = 0): ChainState {
  const { settings: before, tokens, pairs, blacklisted } = chain;
  const settings = foldSettings(before, event);
  switch (event.kind) {
    case 'token_saved':
    case 'token_removed': {
      const { tokenId } = event.body;
      return { ...chain, tokens: withEntry(tokens, tokenId, foldToken(tokens.get(tokenId), event)) };
    }
    case 'pair_saved':
    case 'pair_retired':
    case 'pair_removed':
    case 'ladder_published': {
      const { pair } = event.body;
      return { ...chain, settings, pairs: withEntry(pairs, pair, foldPair(pairs.get(pair), event, newest)) };
    }
    case 'ladders_moved': {
      const moved = new Map(pairs);
      for (const move of event.body.moves) {
        const pair = moved.get(move[0]);
        if (pair !== undefined) moved.set(move[0], foldMove(pair, event, move));
      }
      return { ...chain, pairs: moved };
    }
    case 'blacklist_added':
    case 'blacklist_removed': {
      const { address } = event.body;
      return {
        ...chain,
        blacklisted: withEntry(blacklisted, address, foldBlacklisted(blacklisted.get(address), event)),
      };
    }
    default:
      return settings === before ? chain : { ...chain, settings };
  }
}
