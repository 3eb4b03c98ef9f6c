import { z } from 'zod';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { countSchema, rpcResponseSchema } from './node-answers.ts';
import { isOverload, nodeLimited, nodeMalformed, nodeName, wrongChain } from './node-fault.ts';
import type { NodeTransport, RpcRequest } from './node-transport.ts';

/** One place where a node of the chain is asked. */
interface Endpoint {
  readonly url: string;
  readonly transport: NodeTransport;
  /** On the monotonic clock, milliseconds: until then another one is asked where there is one. */
  restsUntil: number;
  /** It said itself that it is asked too often: until then it is not asked at all, and this is said. */
  limit: DeskError | null;
  /** Failures that no answers have made good, which make its next rest longer. */
  failures: number;
  /** It said of itself that it is of this chain, since it failed last. */
  proven: boolean;
  probing: boolean;
}

export interface EndpointsOptions {
  /** The first is preferred, then the second, and so on. */
  urls: readonly [string, ...string[]];
  /** What they all have to be of; asked only where there are several. */
  chainId: number | null;
  transportTo: (url: string) => NodeTransport;
  /** Told which endpoint is asked in place of which, and why; and that the first is asked again, which is no spare one. */
  onChange: (sentence: string, isSpare: boolean) => void;
}

/** HTTP answers of nodes that take no batch, or none that large. */
export const BATCH_REFUSED = [400, 405, 413, 415, 422];
const FIRST_REST_MS = 1_000;
const MOST_REST_MS = 60_000;
/** A node may say for how long it wants no more questions, but not that it wants none for good. */
const MOST_LIMITED_MS = 600_000;

const batchSchema = z.union([z.array(z.unknown()), z.unknown().transform((body) => [body])]);

/**
 * Several endpoints of one chain as one: what fails, is too slow, has enough of our questions or is of another chain rests for a while, longer
 * each time, and the next one is asked meanwhile. One that rested is asked for its chain before it is relied on again. A limit that a node told
 * is kept to, also where there is no other: then nothing is sent until it is over.
 */
export class NodeEndpoints implements NodeTransport {
  readonly #options: EndpointsOptions;
  readonly #endpoints: readonly [Endpoint, ...Endpoint[]];
  #inUse: Endpoint;
  #closed = false;

  constructor(options: EndpointsOptions) {
    this.#options = options;
    const opened = (url: string): Endpoint => ({
      url,
      transport: options.transportTo(url),
      restsUntil: 0,
      limit: null,
      failures: 0,
      proven: options.urls.length === 1,
      probing: false,
    });
    const [first, ...others] = options.urls;
    this.#endpoints = [opened(first), ...others.map(opened)];
    [this.#inUse] = this.#endpoints;
  }

  /** The one that answered last. */
  get url(): string {
    return this.#inUse.url;
  }

  /**
   * Sends to the best endpoint, and to the next where that does not answer. Throws what the last of them did. A transaction goes to one
   * only: where it was not answered, it may have been taken.
   */
  async send(requests: readonly RpcRequest[]): Promise<unknown> {
    const isOnce = requests.some(({ method }) => method === 'eth_sendRawTransaction');
    const tried = new Set<Endpoint>();
    let failed: { error: unknown } | null = null;
    for (;;) {
      const endpoint = this.#best(tried);
      if (endpoint === null) throw failed?.error ?? this.#limitedNow();
      tried.add(endpoint);
      try {
        if (!endpoint.proven) await this.#prove(endpoint);
        const body = await endpoint.transport.send(requests);
        const overload = overloadIn(body);
        if (overload === null) {
          this.#use(endpoint);
          return body;
        }
        const error = nodeLimited(endpoint.url, null, overload);
        this.#rest(endpoint, error);
        if (isOnce || this.#best(tried) === null) return body; // what it did answer, and its own words for the rest
        failed = { error };
      } catch (error) {
        if (isAboutTheQuestion(error)) throw error;
        this.#rest(endpoint, error);
        failed = { error: endpoint.limit ?? error };
        if (isOnce) throw failed.error;
      }
    }
  }

  /** What the endpoint in use says cannot be worked with: it rests, and another one is asked. False where there is no other. */
  pass(error: unknown): boolean {
    if (this.#endpoints.length === 1) return false;
    this.#rest(this.#inUse, error);
    return true;
  }

  close(): void {
    this.#closed = true;
    for (const { transport } of this.#endpoints) transport.close();
  }

  /** The first that does not rest; else the one whose rest ends first. Null where all were tried or are not to be asked. */
  #best(tried: ReadonlySet<Endpoint>): Endpoint | null {
    const now = performance.now();
    const left = this.#endpoints.filter((one) => !tried.has(one) && !(one.limit !== null && one.restsUntil > now));
    const isSingle = this.#endpoints.length === 1;
    const well = left.find((one) => isSingle || one.restsUntil === 0);
    for (const one of left) {
      if (one === well) break;
      if (one.restsUntil <= now && well !== undefined) void this.#probe(one);
    }
    return well ?? left.toSorted((a, b) => a.restsUntil - b.restsUntil)[0] ?? null;
  }

  /** Whether one that rested can be relied on again. Never rejects. */
  async #probe(endpoint: Endpoint): Promise<void> {
    if (endpoint.probing || this.#closed) return;
    endpoint.probing = true;
    try {
      await this.#prove(endpoint);
      endpoint.restsUntil = 0;
      endpoint.limit = null;
    } catch (error) {
      if (!this.#closed) this.#rest(endpoint, error, false);
    } finally {
      endpoint.probing = false;
    }
  }

  /** Throws where it is of another chain, or does not answer. */
  async #prove(endpoint: Endpoint): Promise<void> {
    const { chainId } = this.#options;
    if (chainId === null) return;
    const method = 'eth_chainId';
    const body = await endpoint.transport.send([{ jsonrpc: '2.0', id: 0, method, params: [] }]);
    const overload = overloadIn(body);
    if (overload !== null) throw nodeLimited(endpoint.url, null, overload);
    const actual = countSchema.safeParse(rpcResponseSchema.safeParse(body).data?.result);
    if (!actual.success) throw nodeMalformed(endpoint.url, method);
    if (actual.data !== chainId) throw wrongChain(endpoint.url, chainId, actual.data);
    endpoint.proven = true;
  }

  #rest(endpoint: Endpoint, error: unknown, isTold = true): void {
    const limit = limitOf(error);
    const isLimited = endpoint.limit !== null && endpoint.restsUntil > performance.now();
    // It was asked at one moment with what was refused before: that makes its rest no longer, unless it says so itself.
    if (isLimited && limit !== null && limit.retryAfterMs === null) return;
    const isSingle = this.#endpoints.length === 1;
    if (isSingle && limit === null) return; // who asks knows how to wait for the only one there is
    const usual = Math.min(MOST_REST_MS, FIRST_REST_MS * 2 ** Math.min(endpoint.failures, 16));
    const restMs = Math.min(MOST_LIMITED_MS, limit?.retryAfterMs ?? usual);
    endpoint.failures += 1;
    endpoint.restsUntil = performance.now() + restMs;
    endpoint.limit = limit === null ? null : nodeLimited(endpoint.url, restMs, limit.said);
    endpoint.proven = isSingle;
    if (!isTold || endpoint !== this.#inUse) return;
    const next = this.#best(new Set([endpoint]));
    if (next?.restsUntil !== 0) return;
    this.#inUse = next;
    const said = endpoint.limit?.message ?? (error instanceof DeskError ? error.message : String(error));
    this.#options.onChange(`${said} ${named(next.url)} is asked meanwhile.`, next !== this.#endpoints[0]);
  }

  #use(endpoint: Endpoint): void {
    // What was asked before it said that it is asked too often takes nothing back.
    if (endpoint.limit !== null && endpoint.restsUntil > performance.now()) return;
    endpoint.restsUntil = 0;
    endpoint.limit = null;
    endpoint.failures = Math.max(0, endpoint.failures - 1);
    if (endpoint === this.#inUse) return;
    this.#inUse = endpoint;
    this.#options.onChange(`${named(endpoint.url)} is asked from now on.`, endpoint !== this.#endpoints[0]);
  }

  /** None may be asked: what the one says that may be asked first. */
  #limitedNow(): DeskError {
    const [first = this.#inUse] = this.#endpoints.toSorted((a, b) => a.restsUntil - b.restsUntil);
    return first.limit ?? nodeLimited(first.url, null, null);
  }
}

function named(url: string): string {
  return `The node at ${nodeName(url)}`;
}

/** The words in which a body, or a part of it, says that it was one question too many; null where it does not. */
function overloadIn(body: unknown): string | null {
  for (const item of batchSchema.parse(body)) {
    const { error } = rpcResponseSchema.safeParse(item).data ?? {};
    if (error != null && isOverload(error)) return error.message;
  }
  return null;
}

/** How a failure says that the node is asked too often, and for how long it wants nothing if it says that; null where it does not. */
function limitOf(error: unknown): { retryAfterMs: number | null; said: string | null } | null {
  if (!isDeskError(error, 'node_unreachable')) return null;
  const { overloaded, retryAfterMs, said } = error.fields;
  return overloaded ? { retryAfterMs, said } : null;
}

/** Another node would say the same. */
function isAboutTheQuestion(error: unknown): boolean {
  if (!isDeskError(error, 'node_unreachable')) return false;
  return error.fields.why === 'too_large' || BATCH_REFUSED.includes(error.fields.status ?? 0);
}
