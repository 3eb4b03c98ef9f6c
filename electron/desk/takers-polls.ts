import { judgeTakers } from '../book/judge-takers.ts';
import { presetOf } from '../book/network-preset.ts';
import { lookAtAddress } from '../chain/look-at-address.ts';
import type { Address } from '../protocol/address.ts';
import { fetchContractTakers } from '../service/contract-takers.ts';
import type { Turns } from '../service/turns.ts';
import { ChainLoops } from './chain-loops.ts';
import { isPracticeChain } from './practice-chain.ts';
import type { Rooms } from './rooms.ts';
import { serviceUrlOf } from './services.ts';

/** Lists of takers change rarely, and the service's free tier counts 3,000 calls a day: all chains together make 576 of them at most. */
const EVERY_MS = 300_000;
const CHAINS_AT_THAT = 2;
/** How soon it is asked for again after a failure, twice as long after each further one. */
const AGAIN_MS = 5_000;
/** Under which name takers are journaled that no person has to be asked about. */
const SERVICE = 'service';
/** A service that names more than this at once is not looked into any further; a node is asked about each. */
const MOST_LOOKED_AT = 20;

/** When a chain's list was last fetched (Unix milliseconds), why that did not work the last time, and what was on it. */
export interface TakersState {
  fetchedAt: number | null;
  fault: string | null;
  /** What the service named last. */
  named: readonly Address[];
  /** What is at those that wait for a person, in a sentence each. */
  looks: ReadonlyMap<Address, string>;
}

const UNASKED: TakersState = { fetchedAt: null, fault: null, named: [], looks: new Map() };

/**
 * Asks for each chain's list of takers as the service publishes it. It never takes the place of the one in force: what is
 * new on it waits for a person, but for what the network's preset names too, and, beside a practice market, its own.
 */
export class TakersPolls {
  readonly #rooms: Pick<Rooms, 'book' | 'credentials' | 'now' | 'log'>;
  readonly #turns: Turns;
  readonly #practice: boolean;
  readonly #states = new Map<number, TakersState>();
  readonly #failures = new Map<number, number>();
  readonly #loops: ChainLoops;

  constructor(rooms: Pick<Rooms, 'book' | 'credentials' | 'now' | 'log'>, turns: Turns, practice: boolean) {
    this.#rooms = rooms;
    this.#turns = turns;
    this.#practice = practice;
    this.#loops = new ChainLoops(rooms, {
      keyOf: ({ serviceUrl }) => serviceUrl,
      begin: (chainId) => {
        this.#states.delete(chainId);
        this.#failures.delete(chainId);
      },
      round: (chainId, url, signal) => this.#round(chainId, url, signal),
    });
  }

  start(): void {
    this.#loops.start();
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }

  of(chainId: number): TakersState {
    return this.#states.get(chainId) ?? UNASKED;
  }

  /**
   * Asks the service of a chain for its list now, for `patienceMs` at most. Tells whether that is settled: it answered, or
   * refused, or is not there. A chain without a service is.
   */
  async ask(chainId: number, patienceMs: number): Promise<boolean> {
    const url = this.#rooms.book.chain(chainId)?.config.serviceUrl ?? null;
    const signal = AbortSignal.timeout(patienceMs);
    if (url !== null) await this.#round(chainId, url, signal);
    return !signal.aborted;
  }

  async #round(chainId: number, serviceUrl: string, signal: AbortSignal): Promise<number> {
    const { book, credentials, now, log } = this.#rooms;
    const before = this.of(chainId);
    try {
      await this.#turns.take(serviceUrlOf(book.chain(chainId), chainId), { signal });
      const named = await fetchContractTakers(book.seals.whole(serviceUrl), chainId, {
        signal,
        apiKey: credentials.serviceKeyOf(serviceUrl),
      });
      if (signal.aborted) return EVERY_MS;
      this.#states.set(chainId, { fetchedAt: now(), fault: null, named, looks: before.looks });
      await this.#take(chainId, named);
      const looks = await this.#look(chainId, named);
      this.#states.set(chainId, { fetchedAt: now(), fault: null, named, looks });
      this.#failures.delete(chainId);
    } catch (error) {
      if (signal.aborted) return EVERY_MS;
      const fault = error instanceof Error ? error.message : String(error);
      this.#states.set(chainId, { ...this.of(chainId), fault });
      this.#failures.set(chainId, (this.#failures.get(chainId) ?? 0) + 1);
      if (before.fault === null) log.warn(fault, { chainId });
    }
    const every = EVERY_MS * Math.max(1, this.#chainsOf(serviceUrl) / CHAINS_AT_THAT);
    const failures = this.#failures.get(chainId) ?? 0;
    return failures === 0 ? every : Math.min(every, AGAIN_MS * 2 ** (failures - 1));
  }

  #chainsOf(serviceUrl: string): number {
    return this.#rooms.book.chains().filter(({ config }) => config.serviceUrl === serviceUrl).length;
  }

  /** Takes what no person has to be asked about. */
  async #take(chainId: number, named: readonly Address[]): Promise<void> {
    const { book, log } = this.#rooms;
    const chain = book.chain(chainId);
    if (chain === undefined) return;
    const { waiting, never } = judgeTakers(chain, named);
    const known = presetOf(chainId).takers;
    const isPractice = this.#practice && isPracticeChain(chain.config);
    const unasked = waiting.filter((address) => isPractice || known.includes(address));
    if (unasked.length > 0 && (await book.addTakers(chainId, unasked, SERVICE)) !== null) {
      log.info('takers of the service that are known were taken', { chainId, takers: unasked.join(' ') });
    }
    const asked = waiting.filter((address) => !unasked.includes(address) && !this.of(chainId).looks.has(address));
    if (asked.length > 0) log.warn('new takers of the service wait for a person', { chainId, takers: asked.join(' ') });
    for (const { address, is } of never) log.warn(`the service names ${is} as a taker`, { chainId, address });
  }

  /** What is at those that wait; what a node did not say is asked again with the next list. */
  async #look(chainId: number, named: readonly Address[]): Promise<Map<Address, string>> {
    const chain = this.#rooms.book.chain(chainId);
    if (chain === undefined) return new Map();
    const { rpcUrl, takers: known } = chain.config;
    const waiting = judgeTakers(chain, named).waiting.slice(0, MOST_LOOKED_AT);
    const looks = waiting.map(async (address): Promise<[Address, string]> => {
      const look = lookAtAddress({ rpcUrl: this.#rooms.book.seals.whole(rpcUrl), chainId, address, known });
      return [address, await look.catch(() => 'The node did not say what is there.')];
    });
    return new Map(await Promise.all(looks));
  }
}
