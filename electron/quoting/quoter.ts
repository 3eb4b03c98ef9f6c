import type { Book } from '../book/book.ts';
import { createEmitter, type Emitter } from '../contract/emitter.ts';
import type { Journal } from '../journal/journal.ts';
import { type After, afterTimeout } from '../time/after.ts';
import { ChainGrid } from './chain-grid.ts';
import type { FirmRequestInput, Respond } from './firm-input.ts';
import { FirmPath, type FirmPathOptions } from './firm-path.ts';
import type { ServedGrid } from './served-grid.ts';

/** How often the grid follows exposure at most, and how soon time is noticed. */
const TICK_MS = 250;

export type QuoterOptions = Omit<FirmPathOptions, 'after' | 'book' | 'depths'> & {
  book: Pick<Book, 'chain' | 'chains' | 'desk' | 'onChange'>;
  after?: After;
};

export function openQuoter(options: QuoterOptions): Quoter {
  return new Quoter(options);
}

/** Of a chain that is not there. */
const NOTHING: ServedGrid = { tokens: {}, pairs: {}, prices: {}, blacklist: [], closed: 'not_found' };

/**
 * What a chain's surface is made of: firm quotes, and the grid that never promises what the guard would refuse. The grid
 * follows stops, starts and publishes at once, exposure and time every 250 ms.
 */
export class Quoter {
  readonly #options: QuoterOptions;
  readonly #path: FirmPath;
  readonly #grids = new Map<number, ChainGrid>();
  readonly #news: Emitter<number>;
  readonly #after: After;
  readonly #off: (() => void)[];
  #cancelTick: () => void = () => {};

  constructor(options: QuoterOptions) {
    this.#options = options;
    const { log } = options;
    this.#news = createEmitter((error) => log?.error('A listener to the grid failed.', { error: String(error) }));
    this.#after = options.after ?? afterTimeout;
    this.#path = new FirmPath({
      ...options,
      after: this.#after,
      depths: (chainId) => this.#grid(chainId).depths,
    });
    const refresh = (chainId: number | null) => this.#refresh(chainId);
    this.#off = [options.book.onChange(refresh), options.guard.trading.onChange(refresh)];
    this.#tickLater();
  }

  /**
   * Answers a firm request (PROTOCOL 4.3). `respond` is called exactly once; with an order only in the synchronous step in
   * which the latch was looked at.
   */
  firm(input: FirmRequestInput, respond: Respond): void {
    this.#path.firm(input, respond);
  }

  /** What a chain serves now; the same object until something of it changes. */
  served(chainId: number): ServedGrid {
    const chain = this.#options.book.chain(chainId);
    return chain === undefined ? NOTHING : this.#grid(chainId).current(chain);
  }

  /** Tells of each new grid. Returns what ends that. */
  onServed(listener: (chainId: number) => void): () => void {
    return this.#news.subscribe(listener);
  }

  /** The chain was looked at: a closure that ended or began shows at once, balances within 250 ms. */
  chainSeen(chainId: number): void {
    const chain = this.#options.book.chain(chainId);
    if (chain !== undefined && this.#grid(chainId).hasOtherClosure(chain)) this.#refresh(chainId);
  }

  /** What has no row in the journal, since the start; and what is on its way there now. */
  counts(): { unparsable: number; unwritten: number; replayed: number; inFlight: number } {
    const { unparsable, unwritten, inFlight, replays } = this.#path;
    return { unparsable, unwritten, replayed: replays.refused, inFlight };
  }

  /** Takes up the signatures of requests that were answered before the start and would be taken again. To be awaited before anybody may ask. */
  readBack(journal: Pick<Journal, 'read'>): Promise<void> {
    return this.#path.replays.readBack(journal);
  }

  /** Orders on their way are still answered; time is not followed any more. */
  close(): void {
    this.#cancelTick();
    for (const off of this.#off) off();
    this.#path.close();
  }

  /** What time brings. Runs by itself every 250 ms. */
  tick(): void {
    this.#options.guard.tick();
    for (const chain of this.#options.book.chains()) {
      try {
        if (this.#grid(chain.chainId).isOutdated(chain)) this.#refresh(chain.chainId);
      } catch (error) {
        this.#options.guard.trading.failed({ chainId: chain.chainId }, error); // which takes its grid down
      }
    }
  }

  #tickLater(): void {
    this.#cancelTick = this.#after(TICK_MS, () => {
      try {
        this.tick();
      } catch (error) {
        this.#options.guard.trading.failed({}, error);
      }
      this.#tickLater();
    });
  }

  #refresh(chainId: number | null): void {
    for (const chain of this.#options.book.chains()) {
      if (chainId !== null && chain.chainId !== chainId) continue;
      const grid = this.#grid(chain.chainId);
      const before = grid.current(chain);
      if (grid.build(chain) !== before) this.#news.emit(chain.chainId);
    }
  }

  #grid(chainId: number): ChainGrid {
    const known = this.#grids.get(chainId);
    if (known !== undefined) return known;
    const grid = new ChainGrid(this.#options.guard, this.#options.now, this.#options.monotonic);
    this.#grids.set(chainId, grid);
    return grid;
  }
}
