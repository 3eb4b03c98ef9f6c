import { isDeepStrictEqual } from 'node:util';
import type { ChainBook } from '../book/chain-book.ts';
import { presetOf } from '../book/network-preset.ts';
import type { ChainView } from '../chain/chain-view.ts';
import { type ChainWatcher, openChainWatcher } from '../chain/chain-watcher.ts';
import type { ChainAccepted } from '../guard/chain-guards.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { fromRaw, toRaw } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import { isPracticeChain } from './practice-chain.ts';
import type { Rooms } from './rooms.ts';

/** What a watcher was opened with; when it changes, another watcher is needed. */
type Watched = Pick<
  ChainBook['config'],
  'chainId' | 'rpcUrl' | 'spareRpcUrls' | 'secondRpcUrl' | 'rfqContract' | 'intentContract' | 'maker'
>;

/** One watcher for each chain of the book, kept in step with it. */
export class WatchedChains {
  readonly #practice: boolean;
  readonly #accepted = new Map<number, ChainAccepted>();
  readonly #watching = new Map<number, { watched: Watched; watcher: ChainWatcher }>();
  readonly #matches = new SerialQueue();
  #stopped = false;

  /** On a practice desk a chain that was begun anew needs nobody's word: its market begins them. */
  constructor({ practice }: { practice: boolean }) {
    this.#practice = practice;
  }

  /**
   * A person says that the node is right: the chain was begun anew. What was signed for the old one ends with the next
   * look at the node, which must still have that first block. Throws DeskError `chain_not_replaced`, and `changed_meanwhile` where
   * it has another one by now than was `seen`.
   */
  accept(chainId: number, by: { actor: string; reason: string }, seen?: Hex): { genesis: Hex } {
    const genesis = this.otherGenesis(chainId);
    if (genesis === null) {
      throw new DeskError(
        'chain_not_replaced',
        `The node of chain ${chainId} has no other chain in place of the known one.`,
        {
          remedy: 'Nothing needs to be accepted. If no desk runs, start it first.',
        },
      );
    }
    if (seen !== undefined && seen !== genesis.toLowerCase()) {
      throw new DeskError('changed_meanwhile', `The node of chain ${chainId} has yet another chain by now.`, {
        remedy: `It begins with block ${genesis}: see whether that is the one which was reset.`,
      });
    }
    this.#accepted.set(chainId, { genesis, ...by });
    return { genesis };
  }

  /** The first block of the chain that a node has in place of the known one, while nobody has said that it is right. */
  otherGenesis(chainId: number): Hex | null {
    return this.#watching.get(chainId)?.watcher.otherGenesis() ?? null;
  }

  /** Who said that the chain with this first block is the known one, begun anew; null when nobody did. */
  #begunAnew(chain: ChainBook | undefined, chainId: number, genesis: Hex): ChainAccepted | null {
    const isPractice = this.#practice && chain !== undefined && isPracticeChain(chain.config);
    if (isPractice) return { genesis, actor: 'desk', reason: 'The practice market reset its chain.' };
    const accepted = this.#accepted.get(chainId);
    return accepted?.genesis === genesis ? accepted : null;
  }

  /** The chain as it is seen at this moment. */
  view(chainId: number): ChainView | undefined {
    return this.#watching.get(chainId)?.watcher.view();
  }

  /** Begins to watch, and follows the book from now on. `onView` is told when a chain looks different. */
  start(rooms: Rooms, onView: (chainId: number) => void): void {
    const follow = () => void this.#matches.run(() => this.#match(rooms, onView));
    rooms.book.onChange((chainId) => {
      if (chainId === null) follow();
    });
    rooms.book.onSettings(follow);
    follow();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#matches.over();
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
      const begunAnew = (genesis: Hex) => this.#begunAnew(rooms.book.chain(chain.chainId), chain.chainId, genesis);
      const watcher = openWatcher(rooms, watched, onView, begunAnew);
      this.#watching.set(chain.chainId, { watched, watcher });
      watcher.start();
    }
  }
}

function watchedOf({ config }: ChainBook): Watched {
  const { chainId, rpcUrl, spareRpcUrls, secondRpcUrl, rfqContract, intentContract, maker } = config;
  return { chainId, rpcUrl, spareRpcUrls, secondRpcUrl, rfqContract, intentContract, maker };
}

function openWatcher(
  rooms: Rooms,
  config: Watched,
  onView: (chainId: number) => void,
  begunAnew: (genesis: Hex) => ChainAccepted | null,
): ChainWatcher {
  const { book, guard, journal, accounts, now, log } = rooms;
  const { chainId } = config;
  const watcher = openChainWatcher({
    config: {
      ...config,
      ...book.seals.nodes(config),
      intentContract: config.intentContract ?? presetOf(chainId).intentContract,
      secondRpcUrl: config.secondRpcUrl && book.seals.whole(config.secondRpcUrl),
    },
    maxLagSeconds: () => book.chain(chainId)?.config.balanceMaxAgeSeconds ?? 0,
    amountText: (address, raw) => amountOf(book.chain(chainId), address, raw),
    journal,
    now,
    log,
    tokens: () => [...(book.chain(chainId)?.tokens.values() ?? [])].map(({ address }) => address),
    driftPerDay: (address) => driftPerDay(book.chain(chainId), address),
    isBegunAnew: (genesis) => begunAnew(genesis) !== null,
    onChainLost: (cause) => {
      if (guard.trading.said({ chainId })?.state !== 'HALTED') {
        void guard.trading.halt({ chainId }, { actor: 'desk', cause });
      }
    },
    onChainReset: async ({ genesis, known, latest }) => {
      const accepted = begunAnew(genesis);
      if (accepted === null) throw new Error('a chain was reset, and nobody has accepted that');
      const facts = { chainId, genesis, known: known.number, latest: latest.number, by: accepted.actor };
      log.warn('the chain this desk knew was reset: its open quotes end', facts);
      accounts.emergencies.begunAnew(chainId);
      await guard.orders.chainReset(chainId, accepted);
    },
  });
  watcher.onOrderEvent((event) => guard.orders.orderEvent(event));
  watcher.onView(() => onView(chainId));
  return watcher;
}

/** `12.5 WETH`; of a token that is not listed any more in raw units. */
function amountOf(chain: ChainBook | undefined, address: Address, raw: bigint): string {
  for (const [id, token] of chain?.tokens ?? []) {
    if (token.address === address) return `${fromRaw(raw, token.decimals)} ${id}`;
  }
  return `${raw} of ${address}`;
}

/** In raw units; 0 where nobody allows a token any. */
function driftPerDay(chain: ChainBook | undefined, address: Address): bigint {
  for (const [id, token] of chain?.tokens ?? []) {
    if (token.address === address) return toRaw(chain?.config.limits.driftPerDay?.[id] ?? '0', token.decimals);
  }
  return 0n;
}
