import type { ChainBook } from '../book/chain-book.ts';
import { type DollarParts, type Dollars, dollarsPer } from '../guard/rule-dollars.ts';
import type { Address } from '../protocol/address.ts';
import type { Token } from '../protocol/wire.ts';

/** What the tokens of a chain are worth at one moment, each worked out once. */
export function dollarsOf(chain: ChainBook, parts: DollarParts): (token: Token) => Dollars | null {
  const known = new Map<Address, Dollars | null>();
  return (token) => {
    let dollars = known.get(token.address);
    if (dollars === undefined) {
      dollars = dollarsPer(chain, token, parts);
      known.set(token.address, dollars);
    }
    return dollars;
  };
}
