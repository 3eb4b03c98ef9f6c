import type { ChainNodes } from '../book/url-seals.ts';
import type { EmergencyCall } from '../chain/emergency-calls.ts';
import { openNode } from '../chain/node-client.ts';
import { isNonceUsed, isSentBefore } from '../chain/node-fault.ts';
import { viemClient } from '../chain/viem-client.ts';
import { pause } from '../time/pause.ts';
import type { Rooms } from './rooms.ts';

/** Where the node does not take it, it is asked again after so long, milliseconds. */
const AGAIN_MS = 2_000;

/** What a node says that has something else in its place. */
const HAS_ANOTHER = /underpriced|replacement/i;

/**
 * Hands each node what an emergency had signed before the desk ended: the very bytes, so that nothing is done twice. What was
 * carried out meanwhile is over. A node that is away, or does not take it, is asked again; what it refused before the desk ended
 * is left to the next emergency. Returns what ends it.
 */
export function resendEmergencies(rooms: Pick<Rooms, 'book' | 'credentials' | 'accounts' | 'log'>): () => void {
  const { book, accounts, log } = rooms;
  const { emergencies } = accounts;
  const ending = new AbortController();
  const hand = async ({ chainId, account, hashes: [hash = '0x'] }: EmergencyCall, nodes: ChainNodes) => {
    const node = openNode({ ...nodes, chainId });
    try {
      const client = viemClient(node, chainId);
      await accounts.run(chainId, account, async () => {
        // Another emergency may have signed it anew while this waited for its turn.
        const now = emergencies.of(chainId, account).find(({ hashes }) => hashes[0] === hash);
        if (now === undefined || now.refused || (await client.getChainId()) !== chainId) return;
        for (const one of now.hashes) {
          const receipt = await client.getTransactionReceipt({ hash: one }).catch(() => null);
          if (receipt?.status === 'success') return emergencies.ended(one);
          if (receipt !== null) return; // it reverted: the next emergency sends it anew
        }
        const about = { what: now.purpose, chainId };
        try {
          await client.sendRawTransaction({ serializedTransaction: now.raw });
        } catch (error) {
          const said = String(error);
          if (isNonceUsed(said) || HAS_ANOTHER.test(said)) {
            return log.warn('what an emergency had signed has lost its place: the next emergency sends it anew', about);
          }
          if (!isSentBefore(said)) throw error;
        }
        log.info('what an emergency had signed was handed to the node again', about);
      });
    } finally {
      node.close();
    }
  };
  const follow = async (call: EmergencyCall) => {
    while (!ending.signal.aborted) {
      const chain = book.chain(call.chainId);
      if (chain === undefined) return;
      try {
        return await hand(call, book.seals.nodes(chain.config));
      } catch {
        await pause(AGAIN_MS, ending.signal, { ref: false });
      }
    }
  };
  if (emergencies.all().length > 0) {
    void rooms.credentials
      .openUrls(book.chains().map(({ config }) => config))
      .then(() => Promise.all(emergencies.all().map(follow)))
      .catch((error: unknown) =>
        log.warn('what an emergency had signed could not be handed to the node again', { error: String(error) }),
      );
  }
  return () => ending.abort();
}
