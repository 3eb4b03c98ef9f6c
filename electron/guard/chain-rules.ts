import type { ChainBook } from '../book/chain-book.ts';
import { TOKEN_LIMITS, type TokenLimit } from '../contract/limits.ts';
import type { Address } from '../protocol/address.ts';
import { toRaw } from '../protocol/decimal.ts';

/** What is kept back and the limits of tokens, in raw units by token address. A limit that is missing is off. */
export interface ChainRules {
  readonly reserve: ReadonlyMap<Address, bigint>;
  readonly most: Readonly<Record<TokenLimit, ReadonlyMap<Address, bigint>>>;
  /** Whether orders may name this taker. With no list any may be named, but those that never may. */
  readonly allowsTaker: (taker: Address) => boolean;
}

const known = new WeakMap<ChainBook, ChainRules>();

/** The rules of a snapshot, worked out once. What is kept back is rounded up, what is allowed is rounded down. */
export function rulesOf(chain: ChainBook): ChainRules {
  const before = known.get(chain);
  if (before !== undefined) return before;
  const { limits, reserve } = chain.config;
  const most = {} as Record<TokenLimit, ReadonlyMap<Address, bigint>>;
  for (const name of TOKEN_LIMITS) most[name] = inRawUnits(chain, limits[name] ?? {}, 'floor');
  const takers = new Set(chain.config.takers);
  const rules: ChainRules = {
    reserve: inRawUnits(chain, reserve, 'ceil'),
    most,
    allowsTaker: (taker) => (takers.size === 0 || takers.has(taker)) && !chain.never.has(taker),
  };
  known.set(chain, rules);
  return rules;
}

function inRawUnits(
  chain: ChainBook,
  amounts: Record<string, string>,
  rounding: 'floor' | 'ceil',
): Map<Address, bigint> {
  const raw = new Map<Address, bigint>();
  for (const [id, amount] of Object.entries(amounts)) {
    const token = chain.tokens.get(id);
    // A limit that is written but below one raw unit still is a limit; only a plain zero is none.
    if (token !== undefined && !/^[0.]*$/.test(amount)) raw.set(token.address, toRaw(amount, token.decimals, rounding));
  }
  return raw;
}
