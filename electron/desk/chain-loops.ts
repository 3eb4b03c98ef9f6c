import type { ChainBook } from '../book/chain-book.ts';
import { pause } from '../time/pause.ts';
import type { Rooms } from './rooms.ts';

/** What is done for a chain again and again. */
export interface ChainLoop {
  /** What the loop depends on in a chain's settings; null: this chain has none. Another key is another loop. */
  keyOf: (config: ChainBook['config']) => string | null;
  /** Called as a loop begins. */
  begin?: (chainId: number) => void;
  /** One round; gives the milliseconds until the next one begins, counted from the beginning of this one. */
  round: (chainId: number, key: string, signal: AbortSignal) => Promise<number>;
}

/** Runs a loop for each chain of the book that wants one, and keeps in step with imports. */
export class ChainLoops {
  readonly #rooms: Pick<Rooms, 'book' | 'log'>;
  readonly #loop: ChainLoop;
  readonly #running = new Map<number, { key: string; stop: AbortController; ended: Promise<void> }>();
  #off: () => void = () => {};

  constructor(rooms: Pick<Rooms, 'book' | 'log'>, loop: ChainLoop) {
    this.#rooms = rooms;
    this.#loop = loop;
  }

  start(): void {
    const offChanges = this.#rooms.book.onChange((chainId) => {
      if (chainId === null) this.#match();
    });
    const offSettings = this.#rooms.book.onSettings(() => this.#match());
    this.#off = () => {
      offChanges();
      offSettings();
    };
    this.#match();
  }

  async stop(): Promise<void> {
    this.#off();
    const all = [...this.#running.values()];
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ ended }) => ended));
  }

  #match(): void {
    const wanted = new Map(
      this.#rooms.book.chains().flatMap(({ chainId, config }) => {
        const key = this.#loop.keyOf(config);
        return key === null ? [] : [[chainId, key] as const];
      }),
    );
    for (const [chainId, { key, stop }] of [...this.#running]) {
      if (wanted.get(chainId) === key) continue;
      stop.abort();
      this.#running.delete(chainId);
      this.#loop.begin?.(chainId); // what the old one left counts no more
    }
    for (const [chainId, key] of wanted) {
      if (this.#running.has(chainId)) continue;
      const stop = new AbortController();
      this.#loop.begin?.(chainId);
      this.#running.set(chainId, { key, stop, ended: this.#run(chainId, key, stop.signal) });
    }
  }

  async #run(chainId: number, key: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const began = performance.now();
      let every = 1_000;
      try {
        every = await this.#loop.round(chainId, key, signal);
      } catch (error) {
        if (!signal.aborted) this.#rooms.log.error('a round for a chain failed', { chainId, error: String(error) });
      }
      const rest = Math.max(50, every - (performance.now() - began));
      await pause(rest, signal, { ref: false });
    }
  }
}
