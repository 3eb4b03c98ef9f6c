/** Five polls, one a second, and five, one every two seconds: by then the service has given up polling. Milliseconds. */
const SOONEST = 5_000;
const LATEST = 10_000;
/** How long it then does not poll. */
const REST = 120_000;

/** What the service probably does about prices that are refused since a moment: what we infer, not what it says. */
export interface ServiceRest {
  /** It still polls, it has given up for a while, or that while is over and the next may have begun. */
  phase: 'polls' | 'rests' | 'may_rest';
  /** Until when, Unix milliseconds; the earliest end while it polls, the latest while it rests. */
  until: number;
}

export function serviceRest(refusedSince: number, now: number): ServiceRest {
  if (now < refusedSince + SOONEST) return { phase: 'polls', until: refusedSince + SOONEST };
  const end = refusedSince + LATEST + REST;
  return { phase: now < end ? 'rests' : 'may_rest', until: end };
}
