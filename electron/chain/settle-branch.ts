import type { Hex } from '../protocol/address.ts';
import type { BranchFollower } from './branch-follower.ts';
import { chainReplaced, findStanding, forkUnknown, nodeBehind, readHead } from './chain-head.ts';
import { type KnownBlock, MAX_REORG_BLOCKS } from './forks.ts';
import type { BlockHeader } from './node-answers.ts';
import type { NodeClient } from './node-client.ts';
import { blockMoved } from './node-fault.ts';

interface Surroundings {
  chainId: number;
  /** Unix milliseconds. */
  now: () => number;
  log: { info(line: string): void; warn(line: string): void };
  /** Whether somebody who may say so has said that this chain began anew, with a first block of this hash. */
  isBegunAnew(genesis: Hex): boolean;
  /** Awaited when the node's chain is another one and that is accepted, before it is followed from its newest block. */
  startAnew(known: KnownBlock, latest: BlockHeader, genesis: Hex): Promise<void>;
}

/**
 * Looks where the node is and brings the follower onto its branch: back to the common ancestor after a reorganisation,
 * however deep. Gives the newest block, from which the follower can be led on. Throws `node_behind`, `block_moved`,
 * `node_wrong_chain`, what makes a node unreadable, `fork_unknown`, and `chain_replaced` unless that was accepted: an
 * answer of a node alone never ends what was signed.
 */
export async function settleBranch(
  node: NodeClient,
  follower: BranchFollower,
  { chainId, now, log, isBegunAnew, startAnew }: Surroundings,
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
  const { newestTime } = follower;
  const standing = await findStanding(node, latest, follower.blocks, { newestTime, now: now() });
  if (standing.kind === 'behind') {
    if (latest.number < known.number) throw nodeBehind(node.rpcUrl, latest.number, known.number);
    throw blockMoved(node.rpcUrl, known.number);
  }
  if (standing.kind === 'overtaken') {
    log.warn(
      `Chain ${chainId}: block ${known.number}, which a node showed before, is not of this chain, which is only at block ${latest.number} now: back to ${standing.ancestor.number}.`,
    );
    await follower.goBackTo(standing.ancestor, latest, true);
    return latest;
  }
  if (standing.kind === 'forked') {
    const line = `Chain ${chainId} was reorganised: block ${known.number} is gone, back to ${standing.ancestor.number}.`;
    if (known.number - standing.ancestor.number > MAX_REORG_BLOCKS) log.warn(line);
    else log.info(line);
    await follower.goBackTo(standing.ancestor, latest, false);
    return latest;
  }
  if (standing.kind === 'lost') throw forkUnknown(node.rpcUrl, known.number);
  const { genesis } = standing;
  if (!isBegunAnew(genesis)) throw chainReplaced(node.rpcUrl, follower.blocks[0]?.hash ?? '0x', genesis);
  log.warn(
    `Chain ${chainId} was reset and begins with block ${genesis}: block ${known.number} (${known.hash}) is gone with it.`,
  );
  await startAnew(known, latest, genesis);
  await follower.beginAt(latest);
  return latest;
}
