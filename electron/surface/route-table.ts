import type { Endpoint } from '../contract/desk-view.ts';
import { Feed } from './feed.ts';
import type { SurfaceChain } from './surface-chain.ts';

/** A chain with its feed. The feed outlives a change of the chain's configuration. */
export type Desk = { chain: SurfaceChain; readonly feed: Feed };

export type Route = {
  readonly desk: Desk;
  readonly endpoint: Endpoint;
  readonly method: 'GET' | 'POST';
};

const ENDPOINTS: readonly [Endpoint, 'GET' | 'POST'][] = [
  ['tokens', 'GET'],
  ['pairs', 'GET'],
  ['prices', 'GET'],
  ['firm', 'POST'],
  ['blacklist', 'GET'],
  ['ws', 'GET'],
];

/** Which chain and endpoint a path stands for. Paths are compared as they are sent, byte by byte. */
export class RouteTable {
  #routes = new Map<string, Route>();
  readonly #desks = new Map<number, Desk>();

  /** Takes the chains as they are configured now; the feeds of chains that are gone are closed. */
  replace(chains: readonly SurfaceChain[]): void {
    const kept = new Set(chains.map(({ chainId }) => chainId));
    for (const [chainId, desk] of this.#desks) {
      if (kept.has(chainId)) continue;
      desk.feed.close('This chain is no longer served.');
      this.#desks.delete(chainId);
    }
    this.#routes = new Map();
    for (const chain of chains) {
      const desk = this.#deskOf(chain);
      for (const [endpoint, method] of ENDPOINTS) {
        this.#routes.set(`${chain.basePath}/${endpoint}`, { desk, endpoint, method });
      }
    }
  }

  find(path: string): Route | undefined {
    return this.#routes.get(path);
  }

  desk(chainId: number): Desk | undefined {
    return this.#desks.get(chainId);
  }

  desks(): Iterable<Desk> {
    return this.#desks.values();
  }

  /** The base path that a path lies below, for signatures that leave it out; the longest one, or none. */
  basePathOf(path: string): string {
    let longest = '';
    for (const { chain } of this.#desks.values()) {
      const { basePath } = chain;
      const below = path === basePath || path.startsWith(`${basePath}/`);
      if (below && basePath.length > longest.length) longest = basePath;
    }
    return longest;
  }

  #deskOf(chain: SurfaceChain): Desk {
    const known = this.#desks.get(chain.chainId);
    if (known !== undefined) {
      known.chain = chain;
      return known;
    }
    const desk: Desk = { chain, feed: new Feed(() => desk.chain.served()) };
    this.#desks.set(chain.chainId, desk);
    return desk;
  }
}
