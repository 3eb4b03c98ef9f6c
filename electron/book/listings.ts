import type { ListingChange, SeenPair, SeenToken } from '../contract/book.ts';
import { below } from '../contract/fault-path.ts';
import { TOKEN_LIMITS } from '../contract/limits.ts';
import { isDrawn } from '../contract/names.ts';
import type { ChainEvent } from '../journal/book/fold.ts';
import type { NewEvent } from '../journal/events.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Pair } from '../protocol/wire.ts';
import type { BookJournal, BookMemory } from './book-memory.ts';
import type { ChainBook } from './chain-book.ts';
import { sameMarket } from './chain-check.ts';
import { type BookState, type ChainState, withEntry } from './chain-state.ts';
import { expectNew, expectSeen } from './changed-meanwhile.ts';
import { type Fault, FaultyInput } from './faults.ts';
import { pairsOfOneMarket, readDefinition } from './pair-check.ts';
import { chainOf } from './refusals.ts';
import { strictPairFault, strictTokenFault } from './strict-listing.ts';
import { checkToken, tokensOfOneAddress } from './token-check.ts';

/** Tokens and pairs of the chains. */
export class Listings {
  readonly #memory: BookMemory;
  readonly #journal: Pick<BookJournal, 'read'>;
  readonly #now: () => number;

  constructor(memory: BookMemory, journal: Pick<BookJournal, 'read'>, now: () => number) {
    this.#memory = memory;
    this.#journal = journal;
    this.#now = now;
  }

  /**
   * Lists a token or corrects it (PROTOCOL 2.6). `seen`: how whoever saves it saw it, null where it was not there. Throws
   * FaultyInput `token_refused`, with the path of each fault, and `changed_meanwhile`.
   */
  saveToken(
    chainId: number,
    tokenId: string,
    input: unknown,
    actor: string,
    seen?: SeenToken | null,
  ): Promise<{ seq: number }> {
    return this.#memory.inTurn(async () => {
      const chain = chainOf(this.#memory, chainId);
      const now = this.#memory.chains.get(chainId)?.tokens.get(tokenId);
      if (seen === null) expectNew(tokenId, now);
      else expectSeen(tokenId, { seen, now, by: this.#memory.changedBy(chainId, `token ${tokenId}`) });
      const refused = (faults: readonly Fault[]) => new FaultyInput('token_refused', `The token ${tokenId}`, faults);
      const { value: token, faults } = checkToken(tokenId, input);
      if (faults) throw refused(faults);
      // One of before stays and can be corrected.
      if (!chain.tokens.has(tokenId) && !isDrawn(tokenId))
        throw refused([{ path: 'tokenId', message: 'has characters that cannot be shown' }]);
      const clash = clashingTokens(chain, tokenId, input);
      const strict = chain.settings.strictListing ? strictTokenFault(token) : null;
      if (strict !== null) throw refused([strict]);
      if (clash !== '') throw refused([{ path: 'address', message: `is the address of ${clash} too` }]);
      const event = this.#event(actor, { kind: 'token_saved', body: { chainId, tokenId, token } });
      const harmed = this.#harmBy(event);
      if (harmed.length > 0) throw refused(harmed);
      return { seq: await this.#memory.start(event) };
    });
  }

  /** The chain as it would be with this token or pair in the list, whether or not it would be taken. Undefined where there is no such chain. */
  trial(chainId: number, change: ListingChange): ChainBook | undefined {
    const event = this.#event(
      '',
      change.kind === 'token'
        ? { kind: 'token_saved' as const, body: { chainId, tokenId: change.tokenId, token: change.token } }
        : { kind: 'pair_saved' as const, body: { chainId, pair: change.pair, definition: change.definition } },
    );
    return this.#memory.trial(event);
  }

  /** Takes a token off the list. Throws DeskError `unknown_token`, or `token_in_use` while something names it. */
  removeToken(chainId: number, tokenId: string, actor: string): Promise<{ seq: number }> {
    return this.#memory.inTurn(async () => {
      const chain = chainOf(this.#memory, chainId);
      if (!chain.tokens.has(tokenId)) {
        throw new DeskError('unknown_token', `${tokenId} is not a listed token of chain ${chainId}.`);
      }
      const user = userOfToken(chain, tokenId) ?? protectionOf(this.#memory.committed, { chainId, tokenId });
      if (user !== undefined) {
        throw new DeskError('token_in_use', `${tokenId} is in use by ${user}.`, {
          remedy: 'Take it out there first. A retired pair leaves by itself.',
        });
      }
      return {
        seq: await this.#memory.start(this.#event(actor, { kind: 'token_removed', body: { chainId, tokenId } })),
      };
    });
  }

  /**
   * Lists a pair or changes its liquidity (PROTOCOL 2.6). A pair that was retired, or had left, comes back with an empty ladder.
   * `seen`: how whoever saves it saw it, null where it was not traded. Throws FaultyInput `pair_refused`, with the path of each
   * fault, and `changed_meanwhile`.
   */
  savePair(
    chainId: number,
    pair: string,
    input: unknown,
    actor: string,
    seen?: SeenPair | null,
  ): Promise<{ seq: number }> {
    return this.#memory.inTurn(async () => {
      const chain = chainOf(this.#memory, chainId);
      const stored = chain.pairs.get(pair);
      const inForce = this.#memory.chains.get(chainId)?.pairs.get(pair);
      const now = inForce && { ...inForce.definition, retired: inForce.retiredUntil !== null };
      if (seen === null) expectNew(pair, now?.retired ? undefined : now);
      else expectSeen(pair, { seen, now, by: this.#memory.changedBy(chainId, `pair ${pair}`) });
      const { value: definition, faults } = definitionToSave(chain, pair, input);
      if (definition === null || faults.length > 0) throw new FaultyInput('pair_refused', `The pair ${pair}`, faults);
      const event = this.#event(actor, { kind: 'pair_saved', body: { chainId, pair, definition } });
      if (stored !== undefined && stored.retiredUntil === null) return { seq: await this.#memory.start(event) };
      const [newest] = await this.#journal.read.revisions(chainId, pair, 1);
      const gone = stored && this.#memory.start(this.#event(actor, { kind: 'pair_removed', body: { chainId, pair } }));
      const [seq] = await Promise.all([this.#memory.start(event, newest?.revision), gone]);
      return { seq };
    });
  }

  #event<E extends Pick<NewEvent, 'kind' | 'body'>>(actor: string, event: E): E & { time: number; actor: string } {
    return { time: this.#now(), actor, ...event };
  }

  /** The pairs that can be quoted now and could not be after the event. */
  #harmBy(event: ChainEvent): Fault[] {
    const after = this.#memory.trial(event);
    const before: ChainBook['pairs'] = this.#memory.chains.get(event.body.chainId)?.pairs ?? new Map();
    return [...before.values()].flatMap(({ id, fault }) => {
      const pair = after?.pairs.get(id);
      if (fault !== null || pair?.fault === null) return [];
      return [
        { path: below('pairs', id), message: `could not be quoted any more: ${pair?.fault ?? 'a token is gone'}` },
      ];
    });
  }
}

/** The tokens that name the same contract as `input` would. */
function clashingTokens(chain: ChainState, tokenId: string, input: unknown): string {
  const stored = withEntry(chain.tokens, tokenId, input);
  const tokens = new Map([...stored].map(([id, token]) => [id, checkToken(id, token)]));
  const group = tokensOfOneAddress(tokens).find((ids) => ids.includes(tokenId)) ?? [];
  return group.filter((id) => id !== tokenId).join(', ');
}

/** A pair, a limit or a reserve that names the token. */
function userOfToken(chain: ChainState, tokenId: string): string | undefined {
  for (const [id, { definition }] of chain.pairs) {
    const ends = typeof definition === 'object' && definition !== null ? Object.values(definition) : [];
    if (ends.includes(tokenId)) return `the pair ${id}`;
  }
  const { limits, reserve } = chain.settings;
  if (Object.hasOwn(reserve, tokenId)) return 'the reserve';
  if (TOKEN_LIMITS.some((name) => Object.hasOwn(limits[name] ?? {}, tokenId))) return 'the limits';
  return undefined;
}

/** The protection that would count nothing any more without this token, or undefined. */
function protectionOf(
  state: BookState,
  { chainId, tokenId }: { chainId: number; tokenId: string },
): string | undefined {
  const rule = state.protections?.find(({ token, chains }) => {
    const holdsOn = (id: number) => chains?.includes(id) ?? true;
    const others = [...state.chains.values()].filter((chain) => chain.chainId !== chainId && holdsOn(chain.chainId));
    return token === tokenId && holdsOn(chainId) && !others.some(({ tokens }) => tokens.has(tokenId));
  });
  return rule && `the protection ${rule.name}`;
}

/** The definition, if the pair can be quoted by it. Paths of faults are seen from the pair. */
function definitionToSave(chain: ChainState, id: string, input: unknown): { value: Pair | null; faults: Fault[] } {
  const tokens = new Map([...chain.tokens].map(([tokenId, token]) => [tokenId, checkToken(tokenId, token)]));
  const { value, faults } = readDefinition(id, input, tokens);
  if (value === null || faults.length > 0) return { value, faults };
  const before = readDefinition(id, chain.pairs.get(id)?.definition, tokens).value;
  for (const end of ['base', 'quote'] as const) {
    if (tokens.get(value[end])?.faults) faults.push({ path: end, message: 'is set aside: fix the token first' });
    if (before && before[end] !== value[end]) {
      faults.push({ path: end, message: `is ${before[end]} and stays so: its prices are in it. List another pair` });
    }
  }
  const others = new Map(
    [...chain.pairs].map(([other, { definition }]) => [
      other,
      { definition: readDefinition(other, definition, tokens).value },
    ]),
  );
  others.set(id, { definition: value });
  const clash = pairsOfOneMarket(others)
    .find((group) => group.includes(id))
    ?.find((other) => other !== id);
  if (clash !== undefined) faults.push({ path: '', message: sameMarket(others, id, clash) });
  const strict = chain.settings.strictListing ? strictPairFault(value) : null;
  if (strict !== null) faults.push(strict);
  return { value, faults };
}
