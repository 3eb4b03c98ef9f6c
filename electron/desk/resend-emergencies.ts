import type { PublicClient } from 'viem';
import type { ChainBook } from '../book/chain-book.ts';
import type { ChainNodes } from '../book/url-seals.ts';
import type { EmergencyCall } from '../chain/emergency-calls.ts';
import { openNode } from '../chain/node-client.ts';
import { isNonceUsed, isSentBefore } from '../chain/node-fault.ts';
import type { OpenCall } from '../chain/open-calls.ts';
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
 * next emergency. So it does with an approval, until its nonce is used. Returns what ends it.
 */
export function resendEmergencies(rooms: Pick<Rooms, 'book' | 'credentials' | 'accounts' | 'log'>): () => void {
  const { book, credentials, accounts, log } = rooms;
  const { emergencies, open } = accounts;
  const ending = new AbortController();
  const told = new Set<string>();
  const tellOnce = (say: 'info' | 'warn', what: string, { purpose, chainId, raw }: EmergencyCall | OpenCall) => {
    if (told.has(`${what} ${raw}`)) return;
    told.add(`${what} ${raw}`);
    log[say](what, { what: purpose, chainId });
  };

  async function look(call: EmergencyCall, client: PublicClient): Promise<void> {
    const { hashes, raw } = call;
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
      if (isNonceUsed(said) || HAS_ANOTHER.test(said))
        return tellOnce(
          'warn',
          'what an emergency had signed has lost its place: the next emergency sends it anew',
          call,
        );
      if (!isSentBefore(said)) return;
    }
    tellOnce('info', 'what an emergency had signed was handed to the node again', call);
  }

  async function lookAtOpen(call: OpenCall, client: PublicClient): Promise<void> {
    const { account, nonce, hash, raw } = call;
    const used = await client.getTransactionCount({ address: account, blockTag: 'latest' });
    if (used > nonce) return open.ended(hash);
    // An emergency may have taken its place meanwhile: behind that it must not happen.
    if (!open.has(hash)) return;
    await client.sendRawTransaction({ serializedTransaction: raw });
    tellOnce('info', 'an approval that no node had for certain was handed to the node again', call);
  }

  async function ask(chainId: number, nodes: ChainNodes, deed: (client: PublicClient) => Promise<void>): Promise<void> {
    const node = openNode({ ...nodes, chainId });
    try {
      const client = viemClient(node, chainId);
      if ((await client.getChainId()) === chainId) await deed(client);
    } finally {
      node.close();
    }
  }

  /** Chains whose node has not answered yet: none of them keeps another. */
  const asked = new Set<number>();

  async function lookAt(chain: ChainBook, calls: readonly EmergencyCall[], opens: readonly OpenCall[]): Promise<void> {
    const { chainId } = chain;
    asked.add(chainId);
    await credentials.openUrls([chain.config]).catch(() => {});
    const nodes = book.seals.nodes(chain.config);
    // A node that is away is asked again.
    await Promise.allSettled([
      ...calls.map((call) => ask(chainId, nodes, (client) => look(call, client))),
      ...opens.map((call) => ask(chainId, nodes, (client) => lookAtOpen(call, client))),
    ]);
    asked.delete(chainId);
  }

  async function follow(): Promise<void> {
    while (!ending.signal.aborted) {
      const calls = emergencies.all();
      const opens = open.all();
      for (const chain of book.chains()) {
        const here = calls.filter(({ chainId }) => chainId === chain.chainId);
        const openHere = opens.filter(({ chainId }) => chainId === chain.chainId);
        if (here.length + openHere.length > 0 && !asked.has(chain.chainId)) void lookAt(chain, here, openHere);
      }
      await pause(AGAIN_MS, ending.signal, { ref: false });
    }
  }

  void follow();
  return () => ending.abort();
}
