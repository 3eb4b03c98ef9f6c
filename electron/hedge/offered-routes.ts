import type { HedgeRoutes } from '../contract/hedge.ts';
import type { Address } from '../protocol/address.ts';
import type { BridgeRoutes } from '../protocol/intent-wire.ts';
import { bridgeRoutes, isTokenSupported } from '../service/intent-prices.ts';
import { marketChains } from '../service/market-operations.ts';
import type { ServiceConnection } from '../service/service-connection.ts';
import { chainOf, type HedgeParts } from './hedge-parts.ts';
import { wireToken } from './hedge-tokens.ts';

/** A service that did not say is asked again after this; what it said is kept by the questions themselves. */
const SILENT_MS = 60_000;

/**
 * What the services have a route for at all (PROTOCOL 14.2 and 14.4). Whatever a service does not say, or is not asked for since what
 * is left of the day's questions is kept for orders, is null: not known, and nothing is ruled out by it. Never throws for a service.
 */
export class OfferedRoutes {
  readonly #parts: Pick<HedgeParts, 'book' | 'service' | 'now'>;
  readonly #silentUntil = new Map<string, number>();

  constructor(parts: Pick<HedgeParts, 'book' | 'service' | 'now'>) {
    this.#parts = parts;
  }

  /** Per chain of the desk: whether the service serves it, and which listed tokens get where by an intent order. */
  chains(): Promise<HedgeRoutes> {
    const chains = this.#parts.book.chains();
    return Promise.all(
      chains.map(async ({ chainId }) => {
        const [served, routes] = await Promise.all([
          this.#ask(chainId, 'chains', marketChains),
          this.#ask(chainId, 'lanes', bridgeRoutes),
        ]);
        const lanes = routes === null ? null : this.#lanesFrom(chainId, routes);
        return { chainId, isServed: served?.includes(chainId) ?? null, lanes };
      }),
    );
  }

  /** Addresses of tokens that the service names in a lane from or to a chain; a lane does not say at which of its ends they are. */
  async tokensNamed(chainId: number): Promise<readonly string[]> {
    const routes = await this.#ask(chainId, 'lanes', bridgeRoutes);
    const own = (routes ?? []).filter(
      ({ srcChainId, destChainId }) => srcChainId === chainId || destChainId === chainId,
    );
    return [...new Set(own.flatMap(({ tokens }) => tokens))];
  }

  /** Whether intent orders of this token are taken on its chain. */
  async isSupported(chainId: number, token: Address): Promise<boolean | null> {
    chainOf(this.#parts, chainId);
    const address = wireToken({ address: token });
    return this.#ask(chainId, `token ${chainId} ${address}`, (service) => isTokenSupported(service, chainId, address));
  }

  /**
   * The lanes of a chain by their tokens where they end. The specification does not say at which end a lane's addresses are, the
   * service's public client does: where none is listed at an end and some are at the beginning, nothing is known.
   */
  #lanesFrom(chainId: number, routes: BridgeRoutes['routes']): HedgeRoutes[number]['lanes'] {
    const ours = routes.filter(({ srcChainId }) => srcChainId === chainId);
    const lanes = ours.flatMap(({ destChainId, tokens }) => {
      const listed = this.#listed(destChainId, tokens);
      return listed.length === 0 ? [] : [{ destChainId, tokens: listed }];
    });
    const isOfSource = lanes.length === 0 && ours.some(({ tokens }) => this.#listed(chainId, tokens).length > 0);
    return isOfSource ? null : lanes;
  }

  /** Those of the service's tokens that the desk lists there. */
  #listed(chainId: number, named: readonly string[]): Address[] {
    const tokens = [...(this.#parts.book.chain(chainId)?.tokens.values() ?? [])];
    const lower = new Set(named.map((address) => address.toLowerCase()));
    return tokens.map(({ address }) => address).filter((address) => lower.has(address));
  }

  async #ask<T>(chainId: number, what: string, ask: (service: ServiceConnection) => Promise<T>): Promise<T | null> {
    const key = `${this.#parts.book.chain(chainId)?.config.serviceUrl} ${what}`;
    if (this.#parts.now() < (this.#silentUntil.get(key) ?? 0)) return null;
    try {
      return await ask(this.#parts.service(chainId));
    } catch {
      this.#silentUntil.set(key, this.#parts.now() + SILENT_MS);
      return null;
    }
  }
}
