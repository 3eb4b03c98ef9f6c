import type { PublicClient } from 'viem';
import type { Hex } from '../../protocol/address.ts';
import { pause } from '../../time/pause.ts';
import { firstLineOf } from '../consumer/failures.ts';

/** A block comes every second. */
const POLL_EVERY_MS = 500;
const MINED_WITHIN_MS = 30_000;
/** A block may be read before the node's answer to the sender is: what is in it is remembered for so many blocks. */
const REMEMBERED_BLOCKS = 8n;

interface Mined {
  block: bigint;
  success: boolean;
}

export interface BlockWatch {
  /** Resolves with the block of a transaction, or null when it comes into none in time or everything ends. */
  mined(transaction: Hex): Promise<Mined | null>;
  /** Time of the newest block that was seen, Unix seconds; null before the first. */
  seconds(): number | null;
  /** Why the node cannot be used now, or null. */
  fault(): string | null;
  /** Resolves once the signal was given. */
  ended: Promise<void>;
}

/** The rows of `eth_getBlockReceipts`, as far as they are read. */
type ReceiptRow = { transactionHash: Hex; status: Hex };

/**
 * Follows the chain for many transactions at once, with one question a block. `onNewChain` is called when blocks that
 * were seen are gone: what was sent may be gone with them, and nonces with it.
 */
export function watchBlocks(options: {
  client: PublicClient;
  signal: AbortSignal;
  now: () => number;
  onNewChain: () => void;
}): BlockWatch {
  const { client, signal, now, onNewChain } = options;
  const wanted = new Map<Hex, { resolve: (mined: Mined | null) => void; until: number }>();
  const recent = new Map<Hex, Mined>();
  let last: { number: bigint; hash: Hex; seconds: number } | null = null;
  let fault: string | null = null;

  async function readBlock(number: bigint): Promise<void> {
    const { hash, parentHash, timestamp } = await client.getBlock({ blockNumber: number });
    if (last !== null && number === last.number + 1n && parentHash !== last.hash) onNewChain();
    const rows = (await client.request({
      method: 'eth_getBlockReceipts' as 'eth_getBlockTransactionCountByNumber',
      params: [`0x${number.toString(16)}`],
    })) as unknown as ReceiptRow[] | null;
    for (const [transaction, { block }] of recent) {
      if (block + REMEMBERED_BLOCKS < number || block >= number) recent.delete(transaction);
    }
    for (const { transactionHash, status } of rows ?? []) {
      const mined = { block: number, success: status === '0x1' };
      recent.set(transactionHash, mined);
      settle(transactionHash, mined);
    }
    last = { number, hash, seconds: Number(timestamp) };
  }

  async function readNew(): Promise<void> {
    const latest = await client.getBlockNumber({ cacheTime: 0 });
    if (last !== null && latest < last.number) {
      last = null;
      onNewChain();
    }
    // Before anything was seen nothing of ours can be in an older block.
    for (let number: bigint = last === null ? latest : last.number + 1n; number <= latest; number += 1n) {
      if (signal.aborted) return;
      await readBlock(number);
    }
  }

  function settle(transaction: Hex, mined: Mined | null): void {
    wanted.get(transaction)?.resolve(mined);
    wanted.delete(transaction);
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      // What went wrong first: a connection that was cut and one that is refused are one absence.
      const before = fault;
      fault = await readNew().then(
        () => null,
        (error: unknown) => before ?? firstLineOf(error),
      );
      for (const [transaction, { until }] of wanted) if (now() > until) settle(transaction, null);
      await pause(POLL_EVERY_MS, signal);
    }
    for (const transaction of [...wanted.keys()]) settle(transaction, null);
  }

  return {
    async mined(transaction) {
      const known = recent.get(transaction) ?? null;
      if (known !== null || signal.aborted) return known;
      return new Promise((resolve) => wanted.set(transaction, { resolve, until: now() + MINED_WITHIN_MS }));
    },
    seconds: () => last?.seconds ?? null,
    fault: () => fault,
    ended: follow(),
  };
}
