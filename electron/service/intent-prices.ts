import type { z } from 'zod';
import {
  type BridgeRoutes,
  bridgeRoutesSchema,
  type IntentPrice,
  type IntentRoute,
  intentPriceSchema,
  intentPricesQuerySchema,
  intentRouteSchema,
  tokenSupportSchema,
} from '../protocol/intent-wire.ts';
import { type Asked, toQuery } from '../protocol/query-fields.ts';
import { isSame } from './market-checks.ts';
import { checkedAsk, nonsense, type ServiceConnection } from './service-connection.ts';

const PRICE_KEPT_MS = 2_000;
/** What is served at all changes seldom, and each question is one of the day's. */
const LIST_KEPT_MS = 6 * 3_600_000;

export type IntentPricesAsk = Asked<typeof intentPricesQuerySchema>;

/** `GET /v2/intent/prices` (PROTOCOL 14.4). Throws ServiceFault with the service's text, DeskError `bad_ask`. */
export async function intentPrices(service: ServiceConnection, ask: IntentPricesAsk): Promise<IntentPrice> {
  const query = toQuery(ask);
  const asked = checkedAsk(intentPricesQuerySchema, query);
  const path = `/v2/${service.intent.segment}/prices`;
  const price = await service.get({ path, query, answer: intentPriceSchema, keptFor: () => PRICE_KEPT_MS });
  checkPrice(price, asked);
  return price;
}

/** `GET /v2/intent/prices/bridge-routes` (PROTOCOL 14.4). */
export async function bridgeRoutes(service: ServiceConnection): Promise<BridgeRoutes['routes']> {
  const path = `/v2/${service.intent.segment}/prices/bridge-routes`;
  const { routes } = await service.get({ path, answer: bridgeRoutesSchema, keptFor: () => LIST_KEPT_MS });
  return routes;
}

/** `GET /v2/intent/prices/is-token-supported` (PROTOCOL 14.4). */
export async function isTokenSupported(service: ServiceConnection, chainId: number, token: string): Promise<boolean> {
  const path = `/v2/${service.intent.segment}/prices/is-token-supported`;
  const query = toQuery({ chainId, token });
  const { supported } = await service.get({ path, query, answer: tokenSupportSchema, keptFor: () => LIST_KEPT_MS });
  return supported;
}

/** The routes of a price: the first choice, and those alternatives that can be read (PROTOCOL 12.4: crosschain only). */
export function routesOf({ route, alternatives }: IntentPrice): IntentRoute[] {
  return [route, ...alternatives.flatMap((other) => intentRouteSchema.safeParse(other).data ?? [])];
}

/** The price is of the chains, the tokens and the amount that were asked. Throws ServiceFault `service_nonsense`. */
export function checkPrice(price: IntentPrice, asked: z.output<typeof intentPricesQuerySchema>): void {
  const { chainId, destChainId = chainId } = asked;
  for (const { origin, destination, bridge } of routesOf(price)) {
    const ends = [
      [origin.input.token, chainId, asked.srcToken],
      [destination.output.token, destChainId, asked.destToken],
    ] as const;
    for (const [{ chainId: chain, address }, wantedChain, wanted] of ends) {
      if (chain !== wantedChain) throw nonsense(`a price on chain ${chain}, not ${wantedChain} as asked`);
      if (!isSame(address, wanted)) throw nonsense(`a price of ${address}, not ${wanted} as asked`);
    }
    if (chainId !== destChainId && !bridge) throw nonsense('a price across chains without a bridge');
    const fixed = asked.side === 'SELL' ? origin.input.amount : destination.output.amount;
    if (fixed !== asked.amount) throw nonsense(`a price for ${fixed} units, not ${asked.amount} as asked`);
  }
}
