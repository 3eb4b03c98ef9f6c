import type { KnownBlock } from './forks.ts';
import { blockHeaderSchema, toQuantity } from './node-answers.ts';
import { type NodeAnswer, type NodeCall, type NodeClient, resultOf } from './node-client.ts';
import { blockMoved } from './node-fault.ts';

/** The header of block `number`; the node answers null when it has none. */
export function headerCall(number: number | 'latest'): NodeCall {
  return { method: 'eth_getBlockByNumber', params: [number === 'latest' ? number : toQuantity(number), false] };
}

/**
 * Asks `calls`, all of which name `block` by its number, and makes sure that the node had that very block: every group
 * that travels together ends with a look at its hash, so that neither a reorganisation between two calls nor a second
 * node behind the same address goes unnoticed. Throws `block_moved` then.
 */
export async function readPinned(
  node: NodeClient,
  block: KnownBlock,
  calls: readonly NodeCall[],
): Promise<NodeAnswer[]> {
  const perGroup = Math.max(1, node.batchSize() - 1);
  const groups: NodeCall[][] = [];
  for (let start = 0; start < calls.length || start === 0; start += perGroup) {
    groups.push([...calls.slice(start, start + perGroup), headerCall(block.number)]);
  }
  const answered = await Promise.all(groups.map((group) => node.ask(group)));
  return answered.flatMap((answers) => {
    const header = resultOf(node, 'eth_getBlockByNumber', answers.at(-1), blockHeaderSchema.nullable());
    if (header?.hash !== block.hash) throw blockMoved(node.rpcUrl, block.number);
    return answers.slice(0, -1);
  });
}
