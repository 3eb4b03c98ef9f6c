import type { Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { type KnownBlock, type Standing, standingOf } from './forks.ts';
import { type BlockHeader, blockHeaderSchema, countSchema } from './node-answers.ts';
import { type NodeClient, resultOf } from './node-client.ts';
import { nodeName, wrongChain } from './node-fault.ts';
import { headerCall, readPinned } from './pinned-read.ts';

/** Where a node is: its newest block, and its block at the number of the newest one we know. */
interface NodeHead {
  latest: BlockHeader;
  atOurs: BlockHeader | null;
}

/** The node has not yet, or no longer, the newest block the desk has seen, and nothing that contradicts it. */
export function nodeBehind(rpcUrl: string, latest: number, ours: number): DeskError {
  return new DeskError(
    'node_behind',
    `The node at ${nodeName(rpcUrl)} is at block ${latest}, behind block ${ours}, which the desk has already seen.`,
    { remedy: 'Wait until the node has caught up, or name another one.' },
  );
}

/** The node's chain has our id and another first block. */
export function chainReplaced(rpcUrl: string, known: Hex, theirs: Hex): DeskError {
  return new DeskError(
    'chain_replaced',
    `The node at ${nodeName(rpcUrl)} is of another chain with the same id: it begins with block ${shortHash(theirs)}, not with ${shortHash(known)}. What was signed counts as live still.`,
    {
      remedy:
        'Name another node. If the chain really was reset, say so: makerdesk accept-chain --reason TEXT ends every order that was signed for the old one.',
    },
  );
}

/** `0x7c41d04f…9a21e94d`: whole, two of them are all that is read of a sentence. */
function shortHash(hash: Hex): string {
  return `${hash.slice(0, 10)}…${hash.slice(-8)}`;
}

/** The node left our branch at a block that nobody can tell from what was remembered. */
export function forkUnknown(rpcUrl: string, ours: number): DeskError {
  return new DeskError(
    'fork_unknown',
    `The node at ${nodeName(rpcUrl)} does not have block ${ours} of the branch the desk followed, nor a block near enough to tell where it left that branch. What was signed counts as live still.`,
    { remedy: 'Name another node, and compare the two.' },
  );
}

/** One round trip: chain id, newest block, and the block at `ours`. Throws `node_wrong_chain`. */
export async function readHead(node: NodeClient, chainId: number, ours: KnownBlock | undefined): Promise<NodeHead> {
  const [id, latest, atOurs] = await node.ask([
    { method: 'eth_chainId', params: [] },
    headerCall('latest'),
    ...(ours === undefined ? [] : [headerCall(ours.number)]),
  ]);
  const actual = resultOf(node, 'eth_chainId', id, countSchema);
  if (actual !== chainId) throw wrongChain(node.rpcUrl, chainId, actual);
  return {
    latest: resultOf(node, 'eth_getBlockByNumber', latest, blockHeaderSchema),
    atOurs: atOurs === undefined ? null : resultOf(node, 'eth_getBlockByNumber', atOurs, blockHeaderSchema.nullable()),
  };
}

/** The headers of these blocks as the node has them on the branch of `latest`; a block it does not have is missing. */
export async function readHeaders(
  node: NodeClient,
  latest: KnownBlock,
  numbers: readonly number[],
): Promise<Map<number, BlockHeader>> {
  const headers = new Map<number, BlockHeader>();
  if (numbers.length === 0) return headers;
  for (const answer of await readPinned(node, latest, numbers.map(headerCall))) {
    const header = resultOf(node, 'eth_getBlockByNumber', answer, blockHeaderSchema.nullable());
    if (header !== null) headers.set(header.number, header);
  }
  return headers;
}

/** A block so much ahead of our clock, seconds, proves nothing by its time: one that ours believes is younger than it. */
const NOT_BELIEVED_AHEAD = 60;

/**
 * Finds out where a node stands that does not have our newest block, which is of `newestTime` (Unix seconds) if that is known. `now`:
 * our clock, Unix milliseconds.
 */
export async function findStanding(
  node: NodeClient,
  latest: BlockHeader,
  known: readonly KnownBlock[],
  { newestTime, now }: { newestTime: number | undefined; now: number },
): Promise<Standing> {
  const numbers = known.map(({ number }) => number).filter((number) => number <= latest.number);
  const headers = await readHeaders(node, latest, numbers);
  const isBelow = latest.number < (known.at(-1)?.number ?? 0);
  const isYounger = isBelow && newestTime !== undefined && isYoungerThan(newestTime, latest.timestamp, now / 1_000);
  return standingOf(known, (number) => headers.get(number)?.hash, isYounger ? latest : null);
}

/** All in Unix seconds. */
function isYoungerThan(newestTime: number, headTime: number, ours: number): boolean {
  return headTime > newestTime || (newestTime > ours + NOT_BELIEVED_AHEAD && headTime <= ours);
}
