import type { Address, Hex } from '../../protocol/address.ts';
import type { Pair, PriceEntry, SignedOrder, Token } from '../../protocol/wire.ts';
import type { ConsumerStatus, Restriction } from './consumer-status.ts';

/** The service's side of one maker's surface on one chain. */
export interface MakerConsumer {
  /** Null while the maker is disabled, or nothing is fresh, or tokens and pairs were not read yet. */
  cached(): CachedMaker | null;
  isRestricted(pairId: string): Restriction | null;
  /** Asks the maker, checks the answer, and draws the consequences. Never throws. */
  firm(ask: FirmAsk, signal: AbortSignal): Promise<FirmOutcome>;
  status(): ConsumerStatus;
  close(): Promise<void>;
}

/** What the service has cached of a maker and may route over right now. */
export interface CachedMaker {
  tokens: Readonly<Record<string, Token>>;
  pairs: Readonly<Record<string, Pair>>;
  /** Only entries that are fresh and usable in the consumer's mode; a pair that is off or aged out is not in it. */
  prices: Readonly<Record<string, PriceEntry>>;
  blacklist: ReadonlySet<Address>;
}

/** One swap that a user wants from the maker, as the cached grid prices it. Amounts in raw units. */
export interface FirmAsk {
  pairId: string;
  makerToken: Token;
  takerToken: Token;
  /** Which amount the user names: what they give (`in`, a sell) or what they get (`out`, a buy). */
  exact: 'in' | 'out';
  /** That amount, as they want it; the service asks the maker for a little more. */
  amount: bigint;
  /** The other amount by the cached grid, for `amount`. */
  expected: bigint;
  /** How much worse than `expected` the firm quote may be. */
  slippageBps: number;
  userAddress: Address;
  /** The execution contract that will fill. */
  takerAddress: Address;
}

/** How a request for a firm quote ended. */
export type FirmOutcome =
  /** Checked in every respect; to be filled in part, since more was asked for than is wanted. */
  | { kind: 'order'; order: SignedOrder; hash: Hex }
  /** An error answer; `code` is the maker's own word for it, if it has one. */
  | { kind: 'refused'; status: number; code: string | null; sentence: string }
  /** The maker does not quote this user, said now or earlier. */
  | { kind: 'blacklisted' }
  | { kind: 'no_answer' }
  /** An answer that cannot be used: malformed, wrong, unsigned, unbacked, or priced worse than the slippage. */
  | { kind: 'unusable'; why: string }
  /** Nothing was sent: the service is down, or it leaves the pair alone. */
  | { kind: 'not_asked'; why: string };
