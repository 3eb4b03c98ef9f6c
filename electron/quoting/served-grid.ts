import type { RefusalCode } from '../contract/refusal.ts';
import type { Address } from '../protocol/address.ts';
import type { Pair, PriceEntry, Token } from '../protocol/wire.ts';

/** What one chain serves at one moment. Never changed once given out: the next moment is a new object. */
export interface ServedGrid {
  readonly tokens: Readonly<Record<string, Token>>;
  readonly pairs: Readonly<Record<string, Pair>>;
  readonly prices: Readonly<Record<string, PriceEntry>>;
  readonly blacklist: readonly Address[];
  /** Why /prices answers an error and the WebSocket is closed, or null; `prices` is empty then. */
  readonly closed: RefusalCode | null;
  /** False where what the chain lists is not known: what is empty here must not be taken for it. */
  readonly isKnown?: boolean;
}
