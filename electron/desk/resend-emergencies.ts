import type { ChainBook } from '../book/chain-book.ts';
import { type EmergencyCall, isEmptyCall } from '../chain/emergency-calls.ts';
import { youngestFirst } from '../chain/emergency-nodes.ts';
import { openNode } from '../chain/node-client.ts';
import { isNonceUsed, isSentBefore } from '../chain/node-fault.ts';
import { viemClient } from '../chain/viem-client.ts';
import { pause } from '../time/pause.ts';
import type { Rooms } from './rooms.ts';

/** How often it is looked what became of each, milliseconds. */
const AGAIN_MS = 2_000;

/** What a node says that has something else in its place. */
const HAS_ANOTHER = /underpriced|replacement/i;

/**
 * Follows what emergencies signed, also of a desk before, while it is not known to be done: what was carried out is over, and what a
 * node lost is handed to it again, the very bytes, so that nothing is done twice. What lost its place, was refused or reverted is left to the
 * next emergency. Returns what ends it.
 */
export function resendEmergencies(rooms: Pick<Rooms, 'book' | 'credentials' | 'accounts' | 'log'>): () => void {
  const { book, credentials, accounts, log } = rooms;
  const { emergencies } = accounts;
  const ending = new AbortController();
  const told = new Set<string>();
  const tellOnce = (say: 'info' | 'warn', what: string, { purpose, chainId, raw }: EmergencyCall) => {
    if (told.has(`${what} ${raw}`)) return;
    told.add(`${what} ${raw}`);
    log[say](what, { what: purpose, chainId });
  };

  async function look(call: EmergencyCall, nodes: Awaited<ReturnType<typeof youngestFirst>>): Promise<void> {
    const { chainId, hashes, raw } = call;
    const node = openNode({ ...nodes, chainId });
    try {
      const client = viemClient(node, chainId);
      if ((await client.getChainId()) !== chainId) return;
      let hasReverted = false;
      for (const hash of hashes) {
        const receipt = await client.getTransactionReceipt({ hash }).catch(() => null);
        if (receipt?.transactionHash !== hash) continue;
        if (receipt.status === 'success') return emergencies.ended(hash);
        hasReverted = true;
      }
      if (hasReverted) return;
      // Not in a turn of the account, which an emergency needs: one that signed it anew meanwhile offers more, and is taken.
      if (call.refused || emergencies.all().every((one) => one.raw !== raw)) return;
      try {
        await client.sendRawTransaction({ serializedTransaction: raw });
      } catch (error) {
        const said = String(error);
        if (isNonceUsed(said) && isEmptyCall(call)) return emergencies.ended(hashes.at(-1) ?? '');
        if (isNonceUsed(said) || HAS_ANOTHER.test(said))
          return tellOnce(
            'warn',
            'what an emergency had signed has lost its place: the next emergency sends it anew',
            call,
          );
        if (!isSentBefore(said)) return;
      }
      tellOnce('info', 'what an emergency had signed was handed to the node again', call);
    } finally {
      node.close();
    }
  }

  /** Chains whose node has not answered yet: none of them keeps another. */
  const asked = new Set<number>();

  async function lookAt(chain: ChainBook, calls: readonly EmergencyCall[]): Promise<void> {
    asked.add(chain.chainId);
    await credentials.openUrls([chain.config]).catch(() => {});
    const about = { chainId: chain.chainId, mostSeconds: chain.config.headMaxAgeSeconds };
    const nodes = await youngestFirst(book.seals.nodes(chain.config), about);
    await Promise.allSettled(calls.map((call) => look(call, nodes))); // a node that is away is asked again
    asked.delete(chain.chainId);
  }

  async function follow(): Promise<void> {
    while (!ending.signal.aborted) {
      const calls = emergencies.all();
      for (const chain of book.chains()) {
        const here = calls.filter(({ chainId }) => chainId === chain.chainId);
        if (here.length > 0 && !asked.has(chain.chainId)) void lookAt(chain, here);
      }
      await pause(AGAIN_MS, ending.signal, { ref: false });
    }
  }

  void follow();
  return () => ending.abort();
}
