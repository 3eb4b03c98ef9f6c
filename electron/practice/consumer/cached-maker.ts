import type { Address } from '../../protocol/address.ts';
import type { Pair, PriceEntry, Token } from '../../protocol/wire.ts';

/** What the service has cached of a maker and may route over right now. */
export interface CachedMaker {
  tokens: Readonly<Record<string, Token>>;
  pairs: Readonly<Record<string, Pair>>;
  /** Only entries that are fresh and usable in the consumer's mode; a pair that is off or aged out is not in it. */
  prices: Readonly<Record<string, PriceEntry>>;
  blacklist: ReadonlySet<Address>;
}
