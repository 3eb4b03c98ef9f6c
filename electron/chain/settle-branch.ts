import type { KnownBlock } from './block-memory.ts';
import type { BranchFollower } from './branch-follower.ts';
import { findStanding, nodeBehind, readHead } from './chain-head.ts';
import type { BlockHeader } from './node-answers.ts';
import type { NodeClient } from './node-client.ts';
import { blockMoved } from './node-fault.ts';

interface Surroundings {
  chainId: number;
  log: { info(line: string): void; warn(line: string): void };
  /** Awaited when the node's chain is another one, before it is followed from its newest block. */
  startAnew(known: KnownBlock, latest: BlockHeader): Promise<void>;
}

/**
 * Looks where the node is and brings the follower onto its branch: back to the common ancestor after a reorganisation,
 * to the newest block where the chain is another one. Gives the newest block, from which the follower can be led on.
 * Throws `node_behind`, `block_moved`, `node_wrong_chain` and what makes a node unreadable.
 */
export async function settleBranch(
  node: NodeClient,
  follower: BranchFollower,
  { chainId, log, startAnew }: Surroundings,
): Promise<BlockHeader> {
  const known = follower.newest;
  const { latest, atOurs } = await readHead(node, chainId, known);
  if (known === undefined) {
    await follower.beginAt(latest);
    return latest;
  }
  if (atOurs?.hash === known.hash) {
    if (latest.number < known.number) throw nodeBehind(node.rpcUrl, latest.number, known.number);
    const torn = latest.number === known.number && latest.hash !== known.hash;
    if (torn) throw blockMoved(node.rpcUrl, latest.number);
    return latest;
  }
  const standing = await findStanding(node, latest, follower.blocks);
  if (standing.kind === 'behind') throw nodeBehind(node.rpcUrl, latest.number, known.number);
  if (standing.kind === 'forked') {
    log.info(`Chain ${chainId} was reorganised: block ${known.number} is gone, back to ${standing.ancestor.number}.`);
    await follower.goBackTo(standing.ancestor, latest);
    return latest;
  }
  log.warn(`Chain ${chainId} does not hold block ${known.number} (${known.hash}) any more: it is another chain.`);
  await startAnew(known, latest);
  await follower.beginAt(latest);
  return latest;
}
