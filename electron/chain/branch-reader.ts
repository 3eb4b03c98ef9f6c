import type { ChainConfig } from '../contract/desk-file.ts';
import type { Address } from '../protocol/address.ts';
import { readHeaders } from './chain-head.ts';
import { type KnownBlock, REMEMBERED_BLOCKS } from './forks.ts';
import { type AnsweredHoldings, holdingCalls, readHoldings } from './holdings.ts';
import { type BlockHeader, blockHeaderSchema, type NodeLog } from './node-answers.ts';
import { type NodeClient, resultOf } from './node-client.ts';
import { blockMoved } from './node-fault.ts';
import { type OrderLog, orderLogsCall, readOrderLogs } from './order-logs.ts';
import { headerCall, readPinned } from './pinned-read.ts';

/** What one step along a branch read; everything belongs to the branch of the block it was pinned to. */
interface BranchStep {
  /** Those that are not known yet. */
  logs: OrderLog[];
  /** Headers of the blocks worth remembering, ascending, up to the end of the step. */
  headers: BlockHeader[];
  /** Null in a step that ends below the pinned block. */
  holdings: AnsweredHoldings | null;
}

export interface StepRange {
  /** The last block already taken in. */
  base: KnownBlock;
  /** First block of which logs are read: above `base` or a few below. */
  logsFrom: number;
  to: number;
  /** Whether the journal has a log already. */
  isKnown: (log: NodeLog) => boolean;
}

type Watched = Pick<ChainConfig, 'rfqContract' | 'maker'>;

/**
 * Reads a step of the branch of `latest` in one round trip: the maker's logs, the headers, and, when the step ends at
 * `latest`, what the maker holds there. Throws `block_moved` when the node's answers are not of one branch.
 */
export async function readStep(
  node: NodeClient,
  { rfqContract, maker }: Watched,
  latest: BlockHeader,
  { base, logsFrom, to, isKnown }: StepRange,
  tokens: readonly Address[],
): Promise<BranchStep> {
  const atEnd = to === latest.number;
  const numbers: number[] = [];
  for (let number = Math.max(base.number + 1, latest.number - REMEMBERED_BLOCKS); number < to; number++) {
    numbers.push(number);
  }
  if (!atEnd) numbers.push(to);
  const logCalls = logsFrom <= to ? [orderLogsCall(rfqContract, maker, logsFrom, to)] : [];
  const answers = await readPinned(node, latest, [
    ...logCalls,
    ...numbers.map(headerCall),
    ...(atEnd ? holdingCalls(tokens, maker, rfqContract, to) : []),
  ]);
  const logs = logCalls.length === 0 ? [] : await readOrderLogs(node, answers[0], rfqContract, maker, isKnown);
  const headers = numbers.map((_number, index) =>
    resultOf(node, 'eth_getBlockByNumber', answers[logCalls.length + index], blockHeaderSchema),
  );
  if (atEnd && to > base.number) headers.push(latest);
  checkLinks(node, base, headers);
  checkLogs(node, headers, logs, logsFrom, to);
  const rest = answers.slice(logCalls.length + numbers.length);
  return { logs, headers, holdings: atEnd ? readHoldings(node, tokens, rest) : null };
}

/** Reads the maker's logs of some blocks of the branch of `latest` by themselves. Throws `block_moved` as well. */
export async function readLogs(
  node: NodeClient,
  { rfqContract, maker }: Watched,
  latest: BlockHeader,
  { logsFrom, to, isKnown }: Omit<StepRange, 'base'>,
): Promise<OrderLog[]> {
  const [answer] = await readPinned(node, latest, [orderLogsCall(rfqContract, maker, logsFrom, to)]);
  const logs = await readOrderLogs(node, answer, rfqContract, maker, isKnown);
  checkLogs(node, [], logs, logsFrom, to);
  return logs;
}

/** Where two blocks follow one another, the first must be the parent of the second. */
function checkLinks(node: NodeClient, base: KnownBlock, headers: readonly BlockHeader[]): void {
  let parent = base;
  for (const header of headers) {
    const follows = header.number === parent.number + 1;
    if (follows && header.parentHash !== parent.hash) throw blockMoved(node.rpcUrl, header.number);
    parent = header;
  }
}

/** Every log must be of the range that was asked for, and of the very block whose header was read. */
function checkLogs(
  node: NodeClient,
  headers: readonly BlockHeader[],
  logs: readonly OrderLog[],
  from: number,
  to: number,
): void {
  const hashes = new Map(headers.map(({ number, hash }) => [number, hash]));
  for (const log of logs) {
    const expected = hashes.get(log.block) ?? log.blockHash;
    if (log.block < from || log.block > to || log.blockHash !== expected) throw blockMoved(node.rpcUrl, log.block);
  }
}

/** Unix seconds of the blocks these logs are in; headers not at hand are read. */
export async function blockTimes(
  node: NodeClient,
  latest: KnownBlock,
  headers: readonly BlockHeader[],
  logs: readonly OrderLog[],
): Promise<(block: number) => number> {
  const times = new Map(headers.map(({ number, timestamp }) => [number, timestamp]));
  const unknown = logs.filter(({ block }) => !times.has(block));
  const read = await readHeaders(node, latest, [...new Set(unknown.map(({ block }) => block))]);
  for (const log of unknown) {
    const header = read.get(log.block);
    if (header?.hash !== log.blockHash) throw blockMoved(node.rpcUrl, log.block);
    times.set(log.block, header.timestamp);
  }
  return (block) => {
    const time = times.get(block);
    if (time === undefined) throw blockMoved(node.rpcUrl, block);
    return time;
  };
}
