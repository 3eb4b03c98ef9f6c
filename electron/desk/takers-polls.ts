import { fetchContractTakers } from '../service/contract-takers.ts';
import type { Turns } from '../service/turns.ts';
import { ChainLoops } from './chain-loops.ts';
import type { Rooms } from './rooms.ts';

/** Lists of takers change rarely, and the service's free tier counts 3,000 calls a day: two chains make 576 of them this way. */
const EVERY_MS = 300_000;
/** How soon it is asked for again until it was fetched once, and after a later failure. */
const FIRST_AGAIN_MS = 5_000;
const AGAIN_MS = 60_000;
/** Under which name a fetched list is journaled. */
const SERVICE = 'service';

/** When a chain's list was last fetched (Unix milliseconds), and why that did not work the last time. */
export interface TakersState {
  fetchedAt: number | null;
  fault: string | null;
}

/** Keeps each chain's list of takers as the service publishes it; while the service is silent the last list stays in force. */
export class TakersPolls {
  readonly #rooms: Pick<Rooms, 'book' | 'credentials' | 'now' | 'log'>;
  readonly #turns: Turns;
  readonly #states = new Map<number, TakersState>();
  readonly #loops: ChainLoops;

  constructor(rooms: Pick<Rooms, 'book' | 'credentials' | 'now' | 'log'>, turns: Turns) {
    this.#rooms = rooms;
    this.#turns = turns;
    this.#loops = new ChainLoops(rooms, {
      keyOf: ({ serviceUrl }) => serviceUrl,
      begin: (chainId) => this.#states.delete(chainId),
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
    return this.#states.get(chainId) ?? { fetchedAt: null, fault: null };
  }

  async #round(chainId: number, serviceUrl: string, signal: AbortSignal): Promise<number> {
    const { book, credentials, now, log } = this.#rooms;
    const before = this.of(chainId);
    try {
      await this.#turns.take(serviceUrl, signal);
      const takers = await fetchContractTakers(serviceUrl, chainId, {
        signal,
        apiKey: credentials.serviceKeyOf(serviceUrl),
      });
      if (signal.aborted) return EVERY_MS;
      const changed = await book.setTakers(chainId, takers, SERVICE);
      if (changed) log.info('the service named other takers', { chainId, takers: takers.length });
      this.#states.set(chainId, { fetchedAt: now(), fault: null });
    } catch (error) {
      if (signal.aborted) return EVERY_MS;
      const fault = error instanceof Error ? error.message : String(error);
      this.#states.set(chainId, { ...before, fault });
      if (before.fault === null) log.warn(fault, { chainId });
    }
    const { fetchedAt, fault } = this.of(chainId);
    if (fetchedAt === null) return FIRST_AGAIN_MS;
    return fault === null ? EVERY_MS : AGAIN_MS;
  }
}
