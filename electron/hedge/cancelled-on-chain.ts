import { toEventSelector } from 'viem';
import { z } from 'zod';
import { MAX_REORG_BLOCKS } from '../chain/forks.ts';
import { addressTopic, logSchema, toQuantity } from '../chain/node-answers.ts';
import { type NodeClient, resultOf } from '../chain/node-client.ts';
import type { Address } from '../protocol/address.ts';
import { rangesOf } from './block-ranges.ts';
import type { SignedLeft } from './hedge-steps.ts';

const CANCELLED = toEventSelector('event IntentCancelled(bytes32 indexed orderHash, address indexed owner)');

/**
 * Whether the contract of an order says in these blocks that it takes it no more: in all that are so deep below the newest one that no
 * reorganisation undoes them, unless told otherwise. `looked` is told the last block behind each range that did not say so.
 * Throws DeskError of the node.
 */
export async function isCancelledOnChain(
  node: NodeClient,
  { orderHash, spender, since }: SignedLeft,
  { maker, newest, from, looked }: { maker: Address; newest: number; from?: number; looked?: (block: number) => void },
): Promise<boolean> {
  if (since === null) return false;
  const topics = [CANCELLED, orderHash, addressTopic(maker)];
  for (const range of rangesOf({ from: from ?? since, to: newest - MAX_REORG_BLOCKS })) {
    const blocks = { fromBlock: toQuantity(range.from), toBlock: toQuantity(range.to) };
    const [answer] = await node.ask([{ method: 'eth_getLogs', params: [{ address: spender, topics, ...blocks }] }]);
    const logs = resultOf(node, 'eth_getLogs', answer, z.array(logSchema));
    const isSaid = logs.some(
      (log) => log.removed !== true && log.address === spender && topics.every((topic, at) => log.topics[at] === topic),
    );
    if (isSaid) return true;
    looked?.(range.to);
  }
  return false;
}
