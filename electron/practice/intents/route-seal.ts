import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IntentRoute } from '../../protocol/intent-wire.ts';
import type { SwapSide } from '../../protocol/market-wire.ts';
import { canonical } from '../router/integrity.ts';
import { WireRefused } from '../wire-refused.ts';

/** Puts an integrity tag on a route: a digest of all its other fields and of the side it was priced for. */
export function sealIntentRoute<Route extends object>(
  key: string,
  side: SwapSide,
  route: Route,
): Route & { hmac: string } {
  return { ...route, hmac: digestOf(key, side, route) };
}

/** @throws WireRefused when the service did not give this very route for this side (PROTOCOL 17) */
export function checkRouteSeal(key: string, side: SwapSide, { hmac, ...route }: IntentRoute): void {
  const [expected, given] = [digestOf(key, side, route), hmac].map((tag) => Buffer.from(String(tag)));
  if (!expected || !given || expected.length !== given.length || !timingSafeEqual(expected, given)) {
    throw new WireRefused('InvalidRoute', 'route validation failed');
  }
}

function digestOf(key: string, side: SwapSide, route: object): string {
  return createHmac('sha256', key).update(`intent ${side} `).update(canonical(route)).digest('hex');
}
