import type { Address } from '../../protocol/address.ts';

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
