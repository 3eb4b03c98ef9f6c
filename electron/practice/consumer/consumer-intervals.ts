/** How often the service polls, how long it waits and how long it remembers. All in milliseconds but the count. */
export interface ConsumerIntervals {
  /** Pause between the end of one poll and the next. */
  pricesEvery: number;
  restEvery: number;
  /** How long a GET, a handshake or the channel's first message may take. */
  patience: number;
  firmPatience: number;
  /** Prices older than this are not traded on. */
  staleAfter: number;
  /** How long an address counts as blacklisted after it was last named (PROTOCOL 6.3). */
  blacklistFor: number;
  /** Strict mode: so many failures of an endpoint, in a row or not, rest its polling for `rest`. */
  failuresBeforeRest: number;
  rest: number;
  /** How long a pair is left alone after an error or an answer that cannot be used, and after silence. */
  restrictFor: number;
  restrictAfterSilenceFor: number;
  /** The first pause before the channel is connected again; it doubles up to the last. */
  reconnectFirst: number;
  reconnectLast: number;
}

/** As the public service is known or assumed to have them. */
export const REAL_INTERVALS: ConsumerIntervals = {
  pricesEvery: 1_000,
  restEvery: 10_000,
  patience: 10_000,
  firmPatience: 4_000,
  staleAfter: 5_000,
  blacklistFor: 60_000,
  failuresBeforeRest: 5,
  rest: 120_000,
  restrictFor: 15 * 60_000,
  restrictAfterSilenceFor: 5 * 60_000,
  reconnectFirst: 1_000,
  reconnectLast: 30_000,
};
