import type { ServiceRequest } from './route.ts';

/** How often one caller may ask. */
interface Rate {
  /** At most once in so many milliseconds. */
  everyMs: number;
  aDay: number;
}

/** What is counted together; `/swap` has lower limits than everything else (PROTOCOL 14.2). */
type Counted = 'usual' | 'swap';

/** As the public service's free tier has it. */
const FREE_TIER: Record<Counted, Rate> = {
  usual: { everyMs: 1_000, aDay: 3_000 },
  swap: { everyMs: 2_000, aDay: 1_000 },
};

/** For callers with a key; the public service tells nobody how much it is (PROTOCOL 18). */
const HIGHER_TIER: Record<Counted, Rate> = {
  usual: { everyMs: 50, aDay: 1_000_000 },
  swap: { everyMs: 100, aDay: 500_000 },
};

const DAY_MS = 86_400_000;

export interface RateLimits {
  /** Whether anything is counted. */
  on: boolean;
  /** Counts a request, and says whether it may be answered: it comes too early, or is one too many today (PROTOCOL 17, 429). */
  admits(request: Pick<ServiceRequest, 'apiKey' | 'from'>, counted: Counted): boolean;
}

/** Counts for each caller by themselves: whoever sends one of `keys`, else by the address they ask from. Not counting at first. */
export function openRateLimits({ keys, now }: { keys: readonly string[]; now: () => number }): RateLimits {
  const callers = new Map<string, () => boolean>();
  const counterOf = (name: string, rate: Rate) => {
    const known = callers.get(name);
    if (known !== undefined) return known;
    const counter = openCounter(rate, now);
    callers.set(name, counter);
    return counter;
  };
  const limits: RateLimits = {
    on: false,
    admits({ apiKey, from = '' }, counted) {
      if (!limits.on) return true;
      const isKnown = apiKey !== undefined && keys.includes(apiKey);
      const rate = (isKnown ? HIGHER_TIER : FREE_TIER)[counted];
      return counterOf(`${counted} ${isKnown ? `key ${apiKey}` : from}`, rate)();
    },
  };
  return limits;
}

function openCounter({ everyMs, aDay }: Rate, now: () => number): () => boolean {
  let next = 0;
  let day = 0;
  let count = 0;
  return () => {
    const at = now();
    const today = Math.floor(at / DAY_MS);
    if (today !== day) count = 0;
    day = today;
    // A clock that was set back does not keep anybody waiting for longer than usual.
    const isEarly = at < next && next - at <= everyMs;
    if (isEarly || count >= aDay) return false;
    next = at + everyMs;
    count += 1;
    return true;
  };
}
