import { toEventSelector } from 'viem';
import { z } from 'zod';
import { MAX_REORG_BLOCKS } from '../chain/block-memory.ts';
import { addressTopic, logSchema, toQuantity } from '../chain/node-answers.ts';
import { type NodeClient, resultOf } from '../chain/node-client.ts';
import type { Address } from '../protocol/address.ts';
import type { SignedLeft } from './hedge-steps.ts';

const CANCELLED = toEventSelector('event IntentCancelled(bytes32 indexed orderHash, address indexed owner)');

/**
 * Whether the contract of an order says that it takes it no more, so deep below the newest block that no reorganisation undoes
 * it. Throws DeskError of the node.
 */
export async function isCancelledOnChain(
  node: NodeClient,
  { orderHash, spender, since }: SignedLeft,
  { maker, newest }: { maker: Address; newest: number },
): Promise<boolean> {
  if (since === null || newest - MAX_REORG_BLOCKS <= since) return false;
  const range = { fromBlock: toQuantity(since), toBlock: toQuantity(newest - MAX_REORG_BLOCKS) };
  const topics = [CANCELLED, orderHash, addressTopic(maker)];
  const [answer] = await node.ask([{ method: 'eth_getLogs', params: [{ address: spender, topics, ...range }] }]);
  return resultOf(node, 'eth_getLogs', answer, z.array(logSchema)).some(
    (log) => log.removed !== true && log.address === spender && topics.every((topic, at) => log.topics[at] === topic),
  );
}
