import type { ChainConfig, Ladder } from '../../../electron/contract/desk-file.ts';
import {
  CHAIN_LIMITS,
  type ChainLimit,
  LIMITS,
  type Limits,
  TOKEN_LIMITS,
  type TokenLimit,
} from '../../../electron/contract/limits.ts';
import { type Cut, plainText, product, ratio, readDecimal } from '../../components/figures/decimal-text.ts';
import { midOf } from '../prices/ladder-figures.ts';
import { valuesOfLadder } from '../prices/ladder-values.ts';

type Tokens = ChainConfig['tokens'];
type Listed = Pick<ChainConfig, 'tokens' | 'pairs'>;

/** The token of this chain for each token ID of another one, by symbol; a symbol that a chain lists twice is left out. */
export function sameTokens(there: Tokens, here: Tokens): ReadonlyMap<string, string> {
  const [from, to] = [bySymbol(there), bySymbol(here)];
  return new Map(
    [...from].flatMap(([symbol, tokenId]) => {
      const same = to.get(symbol);
      return tokenId === null || same == null ? [] : [[tokenId, same] as const];
    }),
  );
}

/** Token IDs by symbol; null where there are several. */
function bySymbol(tokens: Tokens): ReadonlyMap<string, string | null> {
  const ids = new Map<string, string | null>();
  for (const [tokenId, { symbol }] of Object.entries(tokens)) ids.set(symbol, ids.has(symbol) ? null : tokenId);
  return ids;
}

/** A pair of another chain with the names it has here. */
interface SamePair {
  /** Its ID on the other chain. */
  there: string;
  pair: string;
  definition: ChainConfig['pairs'][string];
}

/** The pairs of another chain whose tokens are both listed here. */
export function samePairs(there: Listed, here: Tokens): SamePair[] {
  const same = sameTokens(there.tokens, here);
  return Object.entries(there.pairs).flatMap(([id, definition]) => {
    const [base, quote] = [same.get(definition.base), same.get(definition.quote)];
    if (base === undefined || quote === undefined) return [];
    return [{ there: id, pair: `${base}/${quote}`, definition: { ...definition, base, quote } }];
  });
}

/** Those of them that are not listed here yet, in neither direction. */
export function newPairs(there: Listed, here: Listed): SamePair[] {
  const known = Object.values(here.pairs).flatMap(({ base, quote }) => [`${base}/${quote}`, `${quote}/${base}`]);
  return samePairs(there, here.tokens).filter(
    ({ pair, definition: { base, quote } }) => here.pairs[pair] === undefined && !known.includes(`${base}/${quote}`),
  );
}

/** The ladder of another chain around a middle that a person gives: every price as far from it as there; null without both sides. */
export function ladderAround(ladder: Ladder, typed: string): Ladder | null {
  const middle = midOf(valuesOfLadder(ladder));
  const [there, here] = [readDecimal(middle ?? ''), readDecimal(typed)];
  if (there === null || here === null || here.digits <= 0n) return null;
  // Rounding is for the maker: what we pay is cut down, what we ask for up.
  const moved = (side: 'bids' | 'asks', cut: Cut) =>
    ladder[side].map(([price, amount]): [string, string] => {
      const was = readDecimal(price);
      const now = was === null ? null : ratio(product(was, here), there, was.places, cut);
      return [now === null ? price : plainText(now), amount];
    });
  return { bids: moved('bids', 'down'), asks: moved('asks', 'up') };
}

/** One limit as it is on another chain; `tokenId` is the token's here. */
type CopiedLimit = { name: TokenLimit; tokenId: string; value: string } | { name: ChainLimit; value: number };

/** The limits of another chain that are not set here, token by token; those of tokens that are not listed here are left out. */
export function newLimits(there: Limits, here: Limits, same: ReadonlyMap<string, string>): CopiedLimit[] {
  const ofTokens = TOKEN_LIMITS.flatMap((name) =>
    Object.entries(there[name] ?? {}).flatMap(([id, value]): CopiedLimit[] => {
      const tokenId = same.get(id);
      const isNew = tokenId !== undefined && isOff(here[name]?.[tokenId]) && !isOff(value);
      return isNew ? [{ name, tokenId, value }] : [];
    }),
  );
  // One that a desk of before it does not have is off.
  const ofChain = CHAIN_LIMITS.flatMap((name): CopiedLimit[] =>
    !here[name] && there[name] ? [{ name, value: there[name] }] : [],
  );
  return [...ofTokens, ...ofChain];
}

/** Zero is no limit. */
function isOff(value: string | undefined): boolean {
  return value === undefined || readDecimal(value)?.digits === 0n;
}

/** The limits with these in them. */
export function withLimits(limits: Limits, copied: readonly CopiedLimit[]): Limits {
  const all = { ...limits };
  for (const one of copied) {
    if ('tokenId' in one) all[one.name] = { ...all[one.name], [one.tokenId]: one.value };
    else all[one.name] = one.value;
  }
  return all;
}

/** How the limit is called where it stands in a list. */
export function limitName(limit: CopiedLimit): string {
  const { head } = LIMITS[limit.name];
  return 'tokenId' in limit ? `${limit.tokenId}, ${LIMITS[limit.name].label}` : head;
}
