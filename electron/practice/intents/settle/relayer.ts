import { openWallet, type Wallet } from '../../chain/wallet.ts';
import { isChainAway } from '../../consumer/failures.ts';
import { carryOn } from './carry-on.ts';
import type { IntentChain } from './intent-chain.ts';
import { type Relay, type RelayerOptions, type RelayerTiming, Superseded } from './relay.ts';

/** As the practice market has it. */
export const RELAYER_TIMING: RelayerTiming = {
  auctionMs: 1_500,
  retryMs: 2_000,
  pollMs: 500,
  bridgeMs: 3_000,
  patienceMs: 15_000,
};

export interface Relayer {
  /** Takes up every open order where it was left. */
  start(): void;
  /** Looks at the orders now: one came, or was cancelled. */
  wake(): void;
  /** Resolves once nothing is under way any more. What was sent is found again by the next one. */
  stop(): Promise<void>;
}

/**
 * Brings the stored orders to their end (PROTOCOL 13): auctions among the solvers, settlement on chain, slices in their time, the
 * bridge, cancellations, expiry. Everything it sends is noted with the order first, so that nothing is settled twice whenever
 * it ends.
 */
export function openRelayer(options: RelayerOptions): Relayer {
  const { store, timing, now, log } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const wallets = new Map<string, Wallet>();
  const relay: Relay = {
    ...options,
    signal,
    wallet(key, { chain: { chainId, client } }: IntentChain) {
      const name = `${chainId} ${key}`;
      const wallet = wallets.get(name) ?? openWallet({ client, chainId, privateKey: key });
      wallets.set(name, wallet);
      return wallet;
    },
  };
  /** Under way, by order; and when those come whom nobody wanted, Unix milliseconds. */
  const busy = new Map<string, Promise<void>>();
  const later = new Map<string, number>();
  const complaints = new Map<string, string>();
  let woken = new AbortController();
  let running: Promise<void> | null = null;

  async function work(id: string): Promise<void> {
    try {
      let next = await carryOn(relay, id);
      while (next === 'again' && !signal.aborted) next = await carryOn(relay, id);
      if (next === 'later') later.set(id, now() + timing.retryMs);
      complaints.delete(id);
    } catch (error) {
      if (!signal.aborted && !(error instanceof Superseded)) complain(id, error);
    }
  }

  function complain(id: string, error: unknown): void {
    const sentence = isChainAway(error) ? 'its chain does not answer' : `${error}`.split('\n', 1)[0];
    if (complaints.get(id) === sentence || sentence === undefined) return;
    complaints.set(id, sentence);
    log.warn(`intent ${id}: ${sentence}`);
  }

  function look(): void {
    const time = now();
    for (const { id } of [...store.open(), ...store.watched()]) {
      const wait = (later.get(id) ?? 0) - time;
      // Longer than anybody waits: the clock was set back.
      if (busy.has(id) || (wait > 0 && wait <= timing.retryMs)) continue;
      later.delete(id);
      const done = work(id).finally(() => busy.delete(id));
      busy.set(id, done);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      woken = new AbortController();
      look();
      await relay.pause(timing.pollMs, AbortSignal.any([signal, woken.signal]));
    }
    await Promise.all(busy.values());
  }

  return {
    start() {
      running ??= run();
    },
    wake() {
      later.clear();
      woken.abort();
    },
    async stop() {
      closing.abort();
      await running;
    },
  };
}
