import type { PublishedLadder } from '../contract/book.ts';
import type { BlacklistedUser, StoredPair } from '../journal/book/fold.ts';
import type { Address } from '../protocol/address.ts';
import type { PreparedLevel } from '../protocol/ladder.ts';
import type { Side } from '../protocol/side.ts';
import type { Pair, Token } from '../protocol/wire.ts';
import { blacklistCodeOf, servedBlacklist } from './blacklist.ts';
import { sameMarket } from './chain-check.ts';
import type { ChainState, SetApart } from './chain-state.ts';
import type { Checked } from './checked.ts';
import { sentenceOf } from './faults.ts';
import { neverTakers } from './never-takers.ts';
import { checkPair, type PairCheck, pairsOfOneMarket } from './pair-check.ts';
import type { ChainSettings } from './settings-check.ts';
import { strictPairFault, strictTokenFault } from './strict-listing.ts';
import { checkToken, tokensOfOneAddress } from './token-check.ts';

/** A pair of the snapshot. With a `fault`, or while it retires, both sides are empty. */
export interface BookPair {
  readonly id: string;
  readonly definition: Pair;
  readonly base: Token;
  readonly quote: Token;
  /** The newest published revision; an empty ladder where that one cannot be read. */
  readonly ladder: PublishedLadder;
  /** In raw units, best first. */
  readonly bids: readonly PreparedLevel[];
  readonly asks: readonly PreparedLevel[];
  /** Unix milliseconds, null while the pair is listed for good. */
  readonly retiredUntil: number | null;
  /** Why the pair must not be served, or null. */
  readonly fault: string | null;
}

/** One chain at one moment. It never changes; a change makes a new one that shares the pairs it did not touch. */
export interface ChainBook {
  readonly chainId: number;
  readonly config: ChainSettings;
  /** The sound ones, by token ID. */
  readonly tokens: ReadonlyMap<string, Token>;
  /** Every pair whose tokens are known, also those with a fault. */
  readonly pairs: ReadonlyMap<string, BookPair>;
  /** What is in no list above because it cannot be read or told apart. */
  readonly setApart: readonly SetApart[];
  readonly blacklisted: ReadonlyMap<Address, BlacklistedUser>;
  /** Addresses that no order may name as its taker or its user, with what each is. */
  readonly never: ReadonlyMap<Address, string>;
  /** The pair that trades these two tokens without a fault, and the side on which the maker gives `makerAsset` (PROTOCOL 4.3). */
  market(makerAsset: Address, takerAsset: Address): { pair: BookPair; side: Side } | undefined;
  /** Why this user gets no quotes at `now` (Unix milliseconds), or null: on the list the service reads, blacklisted by this desk alone, or one of our own addresses. */
  blacklistCode(user: Address, now: number): 'blacklisted' | 'user_barred' | null;
  /** The addresses of `GET /blacklist` at `now`, none twice (PROTOCOL 8); not those that this desk alone blacklists. */
  blacklist(now: number): Address[];
}

/** Works out what a chain lists and quotes. Whatever is not sound is set apart, and takes nothing else with it. */
export function buildChainBook(state: ChainState): ChainBook {
  const setApart: SetApart[] = [...state.setApart];
  const tokens = soundTokens(state, setApart);
  const pairs = readablePairs(state, tokens, setApart);
  const markets = new Map<string, { pair: BookPair; side: Side }>();
  for (const pair of pairs.values()) {
    if (pair.fault !== null) continue;
    markets.set(pair.base.address + pair.quote.address, { pair, side: 'asks' });
    markets.set(pair.quote.address + pair.base.address, { pair, side: 'bids' });
  }
  const { blacklisted } = state;
  const sound = new Map([...tokens].flatMap(([id, { value }]) => (value ? [[id, value]] : [])));
  const never = neverTakers(state.settings, sound);
  return {
    chainId: state.chainId,
    config: state.settings,
    tokens: sound,
    pairs,
    setApart,
    blacklisted,
    never,
    market: (makerAsset, takerAsset) => markets.get(makerAsset + takerAsset),
    blacklistCode: (user, now) =>
      blacklistCodeOf(blacklisted.get(user), now) ?? (never.has(user) ? 'user_barred' : null),
    blacklist: (now) => servedBlacklist(blacklisted.values(), now),
  };
}

function soundTokens(state: ChainState, setApart: SetApart[]): Map<string, Checked<Token>> {
  const tokens = new Map([...state.tokens].map(([id, token]) => [id, checkToken(id, token)]));
  const used = new Set([...state.pairs.values()].flatMap(({ definition }) => endsOf(definition)));
  for (const group of tokensOfOneAddress(tokens)) {
    for (const id of indistinct(group, (member) => used.has(member))) {
      const others = group.filter((other) => other !== id).join(', ');
      tokens.set(id, { value: null, faults: [{ path: 'address', message: `is the address of ${others} too` }] });
    }
  }
  if (state.settings.strictListing) {
    for (const [id, { value }] of tokens) {
      const fault = value && strictTokenFault(value);
      if (fault) tokens.set(id, { value: null, faults: [fault] });
    }
  }
  for (const [id, { faults }] of tokens) if (faults) setApart.push({ kind: 'token', id, fault: sentenceOf(faults) });
  return tokens;
}

function endsOf(definition: unknown): unknown[] {
  if (typeof definition !== 'object' || definition === null) return [];
  const { base, quote } = definition as Record<string, unknown>;
  return [base, quote];
}

/**
 * Whom a clash takes out. Where only one of the group is in use, the others go; where several are, nobody can say which
 * is right, and quoting the wrong one costs money, so all go.
 */
function indistinct(group: readonly string[], inUse: (id: string) => boolean): readonly string[] {
  const used = group.filter(inUse);
  return used.length === 1 ? group.filter((id) => id !== used[0]) : group;
}

type KnownPair = { check: PairCheck; base: unknown; quote: unknown; pair: BookPair | null };
const known = new WeakMap<StoredPair, KnownPair>();

function readablePairs(
  state: ChainState,
  tokens: ReadonlyMap<string, Checked<Token>>,
  setApart: SetApart[],
): Map<string, BookPair> {
  const checks = new Map<string, PairCheck>();
  const pairs = new Map<string, BookPair>();
  for (const [id, stored] of state.pairs) {
    const { check, pair } = examine(state.chainId, id, stored, tokens);
    checks.set(id, check);
    const strict = state.settings.strictListing && pair?.fault === null ? strictPairFault(pair.definition) : null;
    if (pair && strict) pairs.set(id, { ...pair, bids: [], asks: [], fault: sentenceOf([strict]) });
    else if (pair) pairs.set(id, pair);
    else setApart.push({ kind: 'pair', id, fault: pairFault(check) ?? '' });
  }
  for (const group of pairsOfOneMarket(checks)) {
    for (const id of indistinct(group, (member) => isQuoted(pairs.get(member)))) {
      const pair = pairs.get(id);
      const other = group.find((member) => member !== id) ?? '';
      if (pair) pairs.set(id, { ...pair, bids: [], asks: [], fault: pair.fault ?? sameMarket(checks, id, other) });
    }
  }
  return pairs;
}

function isQuoted(pair: BookPair | undefined): boolean {
  return pair !== undefined && pair.bids.length + pair.asks.length > 0;
}

function examine(
  chainId: number,
  id: string,
  stored: StoredPair,
  tokens: ReadonlyMap<string, Checked<Token>>,
): KnownPair {
  const [baseId, quoteId] = endsOf(stored.definition);
  const base = typeof baseId === 'string' ? tokens.get(baseId) : undefined;
  const quote = typeof quoteId === 'string' ? tokens.get(quoteId) : undefined;
  const before = known.get(stored);
  if (before && before.base === base && before.quote === quote) return before;
  const check = checkPair(id, { definition: stored.definition, ladder: stored.ladder.ladder }, tokens);
  const examined = { check, base, quote, pair: bookPair(chainId, id, stored, check) };
  known.set(stored, examined);
  return examined;
}

function bookPair(chainId: number, id: string, stored: StoredPair, check: PairCheck): BookPair | null {
  const { definition, base, quote } = check;
  if (!definition || !base || !quote) return null;
  const fault = pairFault(check);
  const quoted = fault === null && stored.retiredUntil === null ? check.prepared : null;
  return {
    id,
    definition,
    base,
    quote,
    ladder: { ...stored.ladder, chainId, pair: id, ladder: check.ladder ?? { bids: [], asks: [] } },
    bids: quoted?.bids ?? [],
    asks: quoted?.asks ?? [],
    retiredUntil: stored.retiredUntil,
    fault,
  };
}

function pairFault(check: PairCheck): string | null {
  if (check.faults.length > 0) return sentenceOf(check.faults);
  if (check.base && check.quote) return null;
  const token = check.base === null ? check.definition?.base : check.definition?.quote;
  return `its token ${JSON.stringify(token)} is set aside`;
}
