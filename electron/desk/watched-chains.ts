import { isDeepStrictEqual } from 'node:util';
import type { ChainBook } from '../book/chain-book.ts';
import type { ChainView } from '../chain/chain-view.ts';
import { type ChainWatcher, openChainWatcher } from '../chain/chain-watcher.ts';
import type { Rooms } from './rooms.ts';

/** What a watcher was opened with; when it changes, another watcher is needed. */
type Watched = Pick<ChainBook['config'], 'chainId' | 'rpcUrl' | 'rfqContract' | 'maker'>;

/** One watcher for each chain of the book, kept in step with it. */
export class WatchedChains {
  readonly #watching = new Map<number, { watched: Watched; watcher: ChainWatcher }>();
  #turn: Promise<void> = Promise.resolve();
  #stopped = false;

  /** The chain as it is seen at this moment. */
  view(chainId: number): ChainView | undefined {
    return this.#watching.get(chainId)?.watcher.view();
  }

  /** Begins to watch, and follows the book from now on. `onView` is told when a chain looks different. */
  start(rooms: Rooms, onView: (chainId: number) => void): void {
    const follow = () => {
      this.#turn = this.#turn.then(() => this.#match(rooms, onView));
    };
    rooms.book.onChange((chainId) => {
      if (chainId === null) follow();
    });
    follow();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#turn;
    await Promise.all([...this.#watching.values()].map(({ watcher }) => watcher.stop()));
    this.#watching.clear();
  }

  async #match(rooms: Rooms, onView: (chainId: number) => void): Promise<void> {
    const chains = new Map(rooms.book.chains().map((chain) => [chain.chainId, chain]));
    for (const [chainId, { watched, watcher }] of [...this.#watching]) {
      const chain = chains.get(chainId);
      if (chain && isDeepStrictEqual(watchedOf(chain), watched)) continue;
      this.#watching.delete(chainId);
      await watcher.stop();
      onView(chainId);
    }
    for (const chain of chains.values()) {
      if (this.#stopped || this.#watching.has(chain.chainId)) continue;
      const watched = watchedOf(chain);
      const watcher = openWatcher(rooms, watched, onView);
      this.#watching.set(chain.chainId, { watched, watcher });
      watcher.start();
    }
  }
}

function watchedOf({ config }: ChainBook): Watched {
  const { chainId, rpcUrl, rfqContract, maker } = config;
  return { chainId, rpcUrl, rfqContract, maker };
}

function openWatcher(rooms: Rooms, config: Watched, onView: (chainId: number) => void): ChainWatcher {
  const { book, guard, journal, now, log } = rooms;
  const { chainId } = config;
  const watcher = openChainWatcher({
    ...{ config, journal, now, log },
    tokens: () => [...(book.chain(chainId)?.tokens.values() ?? [])].map(({ address }) => address),
    onChainReset: async ({ known, latest }) => {
      log.warn('the chain this desk knew is gone: its open quotes end', {
        chainId,
        known: known.number,
        latest: latest.number,
      });
      await guard.orders.chainReset(chainId);
    },
  });
  watcher.onOrderEvent((event) => guard.orders.orderEvent(event));
  watcher.onView(() => onView(chainId));
  return watcher;
}
