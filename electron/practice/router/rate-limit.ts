import { MarketRefused } from './market-refused.ts';

/** How often something may be asked for. */
export interface Rate {
  /** At most one in so many milliseconds. */
  everyMs: number;
  aDay: number;
}

/** As the public service's free tier has it; `/swap` has lower limits (spec 4.2). */
export const FREE_TIER: Rate = { everyMs: 1_000, aDay: 3_000 };
export const SWAP_TIER: Rate = { everyMs: 2_000, aDay: 1_000 };

const DAY_MS = 86_400_000;

/** Counts requests; each may refuse. @returns a function that throws MarketRefused 429 when it comes too early (spec 7) */
export function openRateLimit({ everyMs, aDay }: Rate, now: () => number): () => void {
  let next = 0;
  let day = 0;
  let count = 0;
  return () => {
    const at = now();
    const today = Math.floor(at / DAY_MS);
    if (today !== day) count = 0;
    day = today;
    if (at < next || count >= aDay) throw new MarketRefused('RateLimited', 'Rate limit reached');
    next = at + everyMs;
    count += 1;
  };
}
