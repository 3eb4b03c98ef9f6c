import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IntentRoute } from '../../protocol/intent-wire.ts';
import type { PriceRoute, SwapSide } from '../../protocol/market-wire.ts';
import { WireRefused } from '../wire-refused.ts';

/** After so long a route is stale (PROTOCOL 18). */
const LONGEST_LIFE_MS = 30_000;
const DIGEST_DIGITS = 64;

/** Puts the integrity tag on a route: when it was priced, and a digest of all its other fields. */
export function sealRoute(key: string, route: Omit<PriceRoute, 'hmac'>, now: number): PriceRoute {
  const time = now.toString(16);
  return { ...route, hmac: time + digestOf(key, time, route) } as PriceRoute;
}

/** @throws WireRefused `Invalid priceRoute` when a character differs, `Stale priceRoute` when it is too old (PROTOCOL 17) */
export function checkSeal(key: string, { hmac, ...route }: PriceRoute, now: number): void {
  const time = hmac.slice(0, -DIGEST_DIGITS);
  if (!isSame(digestOf(key, time, route), hmac.slice(-DIGEST_DIGITS))) {
    throw new WireRefused('InvalidPriceRoute', 'Invalid priceRoute');
  }
  // Of the future is one from before the clock was set back: nobody knows how old it is.
  if (Math.abs(now - Number.parseInt(time, 16)) > LONGEST_LIFE_MS)
    throw new WireRefused('StalePriceRoute', 'Stale priceRoute');
}

/** The same for a route of intents, which does not age: its tag holds the side that it was priced for. */
export function sealIntentRoute<Route extends object>(key: string, side: SwapSide, route: Route) {
  return { ...route, hmac: digestOf(key, `intent ${side} `, route) };
}

/** @throws WireRefused when the service did not give this very route for this side (PROTOCOL 17) */
export function checkIntentSeal(key: string, side: SwapSide, { hmac, ...route }: IntentRoute): void {
  if (isSame(digestOf(key, `intent ${side} `, route), String(hmac))) return;
  throw new WireRefused('InvalidRoute', 'route validation failed');
}

function digestOf(key: string, first: string, route: object): string {
  return createHmac('sha256', key).update(first).update(canonical(route)).digest('hex');
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** JSON whose keys are in order, so that a client may write them in another; what is a number does not read as its text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
