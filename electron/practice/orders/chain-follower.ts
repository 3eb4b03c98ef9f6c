import type { PublicClient } from 'viem';
import type { Address } from '../../protocol/address.ts';
import { firstLineOf } from '../consumer/failures.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { OrderLedger } from './order-ledger.ts';
import { findAncestor, readHeader, readStep } from './read-branch.ts';
import { type Backing, readCovers } from './read-covers.ts';

export interface FollowerOptions {
  chain: { chainId: number; name: string; rfqContract: Address; client: PublicClient };
  ledger: OrderLedger;
  pollEveryMs: number;
  log: PracticeLog;
}

export interface ChainFollower {
  /** Resolves after a look at the chain that began later than this call; waits while the node is away. */
  caughtUp(): Promise<void>;
  /** The same, but a node that is away, or goes away meanwhile, is not waited for. */
  freshen(): Promise<void>;
  /** Reads what these balances cover, where that was not yet read at the newest block. Rejects when the node is away. */
  refresh(backings: readonly Backing[]): Promise<void>;
  /** What is still on its way from the node is thrown away. */
  close(): void;
}

const keyOf = ({ maker, token }: Backing) => `${maker} ${token}`;

/**
 * Takes what happens on one chain into the ledger: polls for the newest block, reads the fills and cancels up to it, goes
 * back where the branch changed, and reads at each new block what the balances behind the open orders cover. A node that is
 * away is asked again until it is back.
 */
export function followChain({ chain, ledger, pollEveryMs, log }: FollowerOptions): ChainFollower {
  const { chainId, client } = chain;
  const closing = new AbortController();
  /** The block at which each cover was last read. */
  const readAt = new Map<string, string>();
  let waiting: (() => void)[] = [];
  let wake = () => {};
  let isAway = false;

  async function refresh(backings: readonly Backing[]): Promise<void> {
    const tip = ledger.chain.blocks(chainId).at(-1);
    const stale = backings.filter((backing) => tip === undefined || readAt.get(keyOf(backing)) !== tip.hash);
    if (stale.length === 0) return;
    const amounts = await readCovers(chain, stale, tip === undefined ? undefined : BigInt(tip.number));
    if (closing.signal.aborted) return;
    ledger.cover(
      chainId,
      stale.map((backing, index) => ({ ...backing, amount: amounts[index] ?? 0n })),
    );
    if (tip !== undefined) for (const backing of stale) readAt.set(keyOf(backing), tip.hash);
  }

  /** One look at the chain: everything up to the block that is the newest now. */
  async function look(): Promise<void> {
    const head = await readHeader(client);
    let known = ledger.chain.blocks(chainId);
    if (known.at(-1)?.hash !== head.hash) {
      let ancestor = await findAncestor(client, known, head);
      if (ancestor === null && known.length > 0)
        log.warn(`orders: ${chain.name} is another chain now, read from its start`);
      do {
        const step = await readStep(chain, ancestor, head);
        if (closing.signal.aborted) return;
        ledger.take(chainId, step);
        known = ledger.chain.blocks(chainId);
        ancestor = known.at(-1) ?? null;
      } while (ancestor !== null && ancestor.number < head.number);
      readAt.clear();
    }
    ledger.expire(chainId);
    await refresh(ledger.orders.openBackings.all(chainId));
  }

  async function round(): Promise<void> {
    const served = waiting;
    waiting = [];
    try {
      await look();
      if (isAway) log.info(`orders: ${chain.name} answers again`);
      isAway = false;
    } catch (error) {
      if (!isAway && !closing.signal.aborted) log.warn(`orders: ${chain.name} does not answer: ${firstLineOf(error)}`);
      isAway = true;
    }
    for (const serve of served) serve();
  }

  /** Resolves after the next look, whether the node answered or not. */
  function nextRound(): Promise<void> {
    return new Promise((resolve) => {
      if (closing.signal.aborted) return resolve();
      waiting.push(resolve);
      if (!isAway) wake();
    });
  }

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      await round();
      // Asked for while the round went on: the next one begins at once, unless the node is away.
      if (closing.signal.aborted || (waiting.length > 0 && !isAway)) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollEveryMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    for (const serve of waiting) serve();
  }

  void follow();
  return {
    async caughtUp() {
      do await nextRound();
      while (isAway && !closing.signal.aborted);
    },
    async freshen() {
      if (!isAway) await nextRound();
    },
    refresh,
    close() {
      closing.abort();
      wake();
    },
  };
}
