import type { Address, Hex } from '../../protocol/address.ts';
import type { Pair, PriceEntry, SignedOrder, Token } from '../../protocol/wire.ts';

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

/** `strict` judges as the public adapter does, `spec` as part one of PROTOCOL is written. */
export type ConsumerMode = 'strict' | 'spec';

export type PolledEndpoint = 'tokens' | 'pairs' | 'prices' | 'blacklist';

/** How the last poll of an endpoint ended. Times are Unix milliseconds. */
export interface EndpointStatus {
  /** When the last answer (or the last time-out) came; null before the first. */
  at: number | null;
  /** The HTTP status, or null when there was no answer. */
  status: number | null;
  /** What was wrong, one sentence, or null. */
  fault: string | null;
  /** It is not polled until then, after too many failures; null while it is. */
  pausedUntil: number | null;
}

/** A pair that is left alone, in both directions, until `until` (Unix milliseconds). */
export interface Restriction {
  pairId: string;
  until: number;
  why: string;
}

export interface Complaint {
  /** When it was last so. */
  at: number;
  sentence: string;
  /** How often it was so. */
  times: number;
}

/** What the service thinks of the maker on one chain; plain JSON. Times are Unix milliseconds. */
export interface ConsumerStatus {
  chainId: number;
  /** The chain's name. */
  name: string;
  mode: ConsumerMode;
  /** Whether the maker is routed to at all: /prices is well (PROTOCOL 4.3.8). */
  enabled: boolean;
  /** Since when it is so, and why it is not enabled. */
  since: number;
  why: string | null;
  endpoints: Record<PolledEndpoint, EndpointStatus>;
  /** Until when the endpoint that rests longest is not polled, or null. */
  pausedUntil: number | null;
  socket: {
    connected: boolean;
    since: number;
    /** Messages taken on the connection that stands, the first one included. */
    messages: number;
    /** Why there is none, or null. */
    why: string | null;
  };
  restrictions: Restriction[];
  /** Users who are not routed to the maker; `until` null is for good. */
  blacklist: { address: Address; from: 'list' | 'no order' | '403'; until: number | null }[];
  /** How often something was wrong with the maker's answers in all, and the last 50 different sentences, oldest first. */
  complaints: { count: number; last: Complaint[] };
}
