import type { ChainBook } from '../book/chain-book.ts';
import type { PairRow } from '../contract/book.ts';
import { isDollarToken } from '../journal/book/listed-tokens.ts';
import type { Address } from '../protocol/address.ts';
import type { Token } from '../protocol/wire.ts';
import type { ReferenceOf } from './references-of.ts';

type Dollars = NonNullable<PairRow['dollars']> | null;

/**
 * US dollars a token of a chain now: 1 for one that counts as a dollar, else the reference of its own pair in such a
 * token; null where none is known or the one that is known is too old.
 */
export function dollarsOf(chain: ChainBook, referenceOf: ReferenceOf): (token: Token) => Dollars {
  const known = new Map<Address, Dollars>();
  return (token) => {
    let dollars = known.get(token.address);
    if (dollars === undefined) {
      dollars = isDollarToken(token.symbol) ? { rate: '1', pair: null, time: null } : fromReference(token);
      known.set(token.address, dollars);
    }
    return dollars;
  };

  function fromReference(token: Token): Dollars {
    for (const { id, base, quote } of chain.pairs.values()) {
      if (base.address !== token.address || !isDollarToken(quote.symbol)) continue;
      const reference = referenceOf(chain.chainId, id);
      if (reference !== null && !reference.stale && !reference.heldBack)
        return { rate: reference.mid, pair: id, time: reference.time };
    }
    return null;
  }
}
