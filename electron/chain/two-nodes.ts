import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { toFunctionSelector } from 'viem';
import { z } from 'zod';
import type { ChainConfig } from '../contract/desk-file.ts';
import type { Address } from '../protocol/address.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import type { KnownBlock } from './forks.ts';
import { type Holding, type Holdings, holdingCalls, readHoldings } from './holdings.ts';
import { type BlockHeader, blockHeaderSchema, bytesSchema, countSchema, logSchema } from './node-answers.ts';
import { type NodeAnswer, type NodeCall, type NodeClient, openNode, resultOf } from './node-client.ts';
import { nodeName, nodeRefused } from './node-fault.ts';
import { headerCall, readPinned } from './pinned-read.ts';

/** What the watch of a chain asks: one node, or two of which nothing is believed that they do not both say. */
export interface AgreedNode extends NodeClient {
  /** The first of the two by itself. */
  readonly first: NodeClient;
  /** Where the first was at the last look, while the second does not have that block yet; nothing there is agreed. */
  ahead(): KnownBlock | null;
  /** Whether it was the second node that failed. */
  isOfSecond(error: unknown): boolean;
  /** Asks every other node of the chain by itself, spare ones too; what those say that answer. None is of the host of the first. */
  elsewhere<T>(ask: (node: NodeClient) => Promise<T>): Promise<T[]>;
}

export interface AgreedNodeOptions {
  rpcUrl: string;
  /** Asked in the place of `rpcUrl` while that fails. */
  spareRpcUrls?: readonly string[] | undefined;
  /** Told which of them is asked from now on, whether that is a spare one, and why. */
  onChange?: ((sentence: string, isSpare: boolean) => void) | undefined;
  /** Null: the one node is believed. */
  secondRpcUrl: string | null;
  chainId: number;
  /** How far apart in time the newest blocks of the two may be, seconds. */
  maxLagSeconds: () => number;
  /** An amount of a token as a person reads it. */
  amountText: (token: Address, raw: bigint) => string;
  timeoutMs?: number | undefined;
}

const BALANCE_OF = toFunctionSelector('balanceOf(address)');
const ALLOWANCE = toFunctionSelector('allowance(address,address)');

/** Logs compared in one turn of the event loop. */
const LOGS_A_TURN = 32;

const COMPARE_THEM =
  'Compare both with a block explorer, and name another node in place of the wrong one under Settings, Chains.';

/** The two nodes of a chain say different things of the same block. */
function nodesDisagree(sentence: string): DeskError {
  return new DeskError('nodes_disagree', `The two nodes of this chain disagree: ${sentence}`, { remedy: COMPARE_THEM });
}

/**
 * Opens the node of a chain, or two. With two, every question goes to both: the newest block is the newest that both have, a
 * block that one of them does not have is no block, and where they differ about a block, a log or what a contract says the answer is
 * DeskError `nodes_disagree`; nothing of it is believed. Asks for what the watch of a chain reads, and for nothing else.
 */
export function openAgreedNode(options: AgreedNodeOptions): AgreedNode {
  const { rpcUrl, secondRpcUrl, timeoutMs } = options;
  const { chainId, spareRpcUrls, onChange } = options;
  const first = openNode({ rpcUrl, spareRpcUrls, chainId, onChange, timeoutMs });
  if (secondRpcUrl === null) return new OneNode(first, options);
  return new TwoNodes(first, openNode({ rpcUrl: secondRpcUrl, timeoutMs }), options);
}

/** One node that is believed. */
class OneNode implements AgreedNode {
  readonly first: NodeClient;
  readonly batchSize: NodeClient['batchSize'];
  readonly ask: NodeClient['ask'];
  readonly pass: NodeClient['pass'];
  readonly close: NodeClient['close'];
  readonly ahead = () => null;
  readonly isOfSecond = () => false;

  readonly #options: NodesByThemselves;

  constructor(first: NodeClient, options: NodesByThemselves) {
    this.first = first;
    this.#options = options;
    ({ batchSize: this.batchSize, ask: this.ask, pass: this.pass, close: this.close } = first);
  }

  get rpcUrl(): string {
    return this.first.rpcUrl;
  }

  elsewhere<T>(ask: (node: NodeClient) => Promise<T>): Promise<T[]> {
    return saidElsewhere(this.first, this.#options, ask);
  }
}

type NodesByThemselves = Pick<AgreedNodeOptions, 'rpcUrl' | 'spareRpcUrls' | 'secondRpcUrl' | 'timeoutMs'>;

/** What the nodes of a chain say that are not at the host of `first`; each host is asked once. */
async function saidElsewhere<T>(
  first: NodeClient,
  { rpcUrl, spareRpcUrls = [], secondRpcUrl, timeoutMs }: NodesByThemselves,
  ask: (node: NodeClient) => Promise<T>,
): Promise<T[]> {
  const urls = new Map(
    [rpcUrl, ...spareRpcUrls, ...(secondRpcUrl === null ? [] : [secondRpcUrl])].map((url) => [nodeName(url), url]),
  );
  urls.delete(nodeName(first.rpcUrl));
  const said = await Promise.allSettled(
    [...urls.values()].map(async (url) => {
      const node = openNode({ rpcUrl: url, timeoutMs });
      try {
        return await ask(node);
      } finally {
        node.close();
      }
    }),
  );
  return said.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** Two nodes that are asked the same. */
export class TwoNodes implements AgreedNode {
  readonly first: NodeClient;
  readonly #second: NodeClient;
  readonly #options: NodesByThemselves & Pick<AgreedNodeOptions, 'chainId' | 'maxLagSeconds' | 'amountText'>;
  readonly #ofSecond = new WeakSet<object>();
  #ahead: KnownBlock | null = null;

  constructor(
    first: NodeClient,
    second: NodeClient,
    options: NodesByThemselves & Pick<AgreedNodeOptions, 'chainId' | 'maxLagSeconds' | 'amountText'>,
  ) {
    this.first = first;
    this.#second = second;
    this.#options = options;
  }

  get rpcUrl(): string {
    return this.first.rpcUrl;
  }

  batchSize(): number {
    return Math.min(this.first.batchSize(), this.#second.batchSize());
  }

  ahead(): KnownBlock | null {
    return this.#ahead;
  }

  /** The second is a witness, and has no spare: nobody is asked until somebody agrees. */
  pass(error: unknown): boolean {
    return !this.isOfSecond(error) && !isDeskError(error, 'nodes_disagree') && this.first.pass(error);
  }

  isOfSecond(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#ofSecond.has(error);
  }

  elsewhere<T>(ask: (node: NodeClient) => Promise<T>): Promise<T[]> {
    return saidElsewhere(this.first, this.#options, ask);
  }

  close(): void {
    this.first.close();
    this.#second.close();
  }

  async ask(calls: readonly NodeCall[]): Promise<NodeAnswer[]> {
    const [ours, theirs] = await Promise.all([this.first.ask(calls), this.#blamed(() => this.#second.ask(calls))]);
    const agreed: NodeAnswer[] = [];
    for (const [index, call] of calls.entries()) {
      const [one, other] = [ours[index], theirs[index]];
      if (one === undefined || other === undefined) throw new Error('a node answered fewer calls than it was asked');
      // What the first refuses is known to nobody.
      agreed.push(one.ok ? await this.#agreed(call, one, other) : one);
    }
    return agreed;
  }

  async #agreed(call: NodeCall, ours: NodeAnswer, theirs: NodeAnswer): Promise<NodeAnswer> {
    if (call.method === 'eth_call') return this.#sameResult(call, ours, theirs);
    if (!theirs.ok) {
      const { code, message } = theirs.error;
      throw this.#blame(nodeRefused(this.#second.rpcUrl, call.method, code, message));
    }
    if (call.method === 'eth_chainId') return this.#sameChain(ours, theirs);
    if (call.method === 'eth_getLogs') return this.#sameLogs(ours, theirs);
    if (call.method !== 'eth_getBlockByNumber') throw new Error(`two nodes are not compared by ${call.method}`);
    return call.params[0] === 'latest' ? this.#newestOfBoth(ours, theirs) : this.#sameBlock(ours, theirs);
  }

  async #sameChain(ours: NodeAnswer, theirs: NodeAnswer): Promise<NodeAnswer> {
    const [{ chainId }, second] = [this.#options, this.#second];
    const actual = await this.#ofTheirs('eth_chainId', theirs, countSchema);
    if (actual === chainId) return ours;
    throw nodesDisagree(`the second, at ${nodeName(second.rpcUrl)}, is of chain ${actual}, not of chain ${chainId}.`);
  }

  /** The newest block that both have, by the word of both. */
  async #newestOfBoth(answer: NodeAnswer, theirAnswer: NodeAnswer): Promise<NodeAnswer> {
    const ours = resultOf(this.first, 'eth_getBlockByNumber', answer, blockHeaderSchema);
    const theirs = await this.#ofTheirs('eth_getBlockByNumber', theirAnswer, blockHeaderSchema);
    this.#ahead = null;
    if (ours.number > theirs.number) {
      const there = await this.#blockOf(this.first, theirs.number);
      await this.#expectSame(there, theirs);
      this.#expectNear(theirs, ours, this.#second, this.first);
      this.#ahead = ours;
      return theirAnswer;
    }
    const there = ours.number === theirs.number ? theirs : await this.#blockOf(this.#second, ours.number);
    await this.#expectSame(ours, there);
    this.#expectNear(ours, theirs, this.first, this.#second);
    return answer;
  }

  /** A node that is a few blocks behind is waited for; one that is further behind does not say how the chain is. */
  #expectNear(late: BlockHeader, early: BlockHeader, node: NodeClient, other: NodeClient): void {
    const seconds = early.timestamp - late.timestamp;
    if (seconds <= this.#options.maxLagSeconds()) return;
    const error = new DeskError(
      'node_behind',
      `The node at ${nodeName(node.rpcUrl)} is ${seconds} s behind the one at ${nodeName(other.rpcUrl)}: at block ${late.number}, not ${early.number}.`,
      { remedy: 'Wait until it has caught up, or name another one under Settings, Chains.' },
    );
    throw node === this.#second ? this.#blame(error) : error;
  }

  async #sameBlock(answer: NodeAnswer, theirAnswer: NodeAnswer): Promise<NodeAnswer> {
    const schema = blockHeaderSchema.nullable();
    const ours = resultOf(this.first, 'eth_getBlockByNumber', answer, schema);
    const theirs = await this.#ofTheirs('eth_getBlockByNumber', theirAnswer, schema);
    if (ours === null || theirs === null) return { ok: true, result: null };
    await this.#expectSame(ours, theirs);
    return answer;
  }

  async #expectSame(ours: BlockHeader | null, theirs: BlockHeader | null): Promise<void> {
    const isSame = ours !== null && theirs !== null && sealOf(ours) === sealOf(theirs);
    if (!isSame) throw await this.#apart(ours, theirs);
  }

  /** Where their branches part, as far as that can be said at once. */
  async #apart(ours: BlockHeader | null, theirs: BlockHeader | null): Promise<DeskError> {
    const [first, second] = [nodeName(this.first.rpcUrl), nodeName(this.#second.rpcUrl)];
    const number = ours?.number ?? theirs?.number ?? 0;
    const begins = await Promise.all([this.#blockOf(this.first, 0), this.#blockOf(this.#second, 0)]).catch(() => []);
    const [ourFirst = null, theirFirst = null] = begins;
    if (ourFirst !== null && theirFirst !== null && ourFirst.hash !== theirFirst.hash) {
      return nodesDisagree(
        `the second, at ${second}, is of another chain with the same id: it begins with block ${theirFirst.hash}, not with ${ourFirst.hash}.`,
      );
    }
    const told = (header: BlockHeader | null) => (header === null ? 'none' : `${header.hash} of ${header.timestamp}`);
    return nodesDisagree(
      `they are on different branches. Block ${number} is ${told(ours)} at ${first} and ${told(theirs)} at ${second}.`,
    );
  }

  async #sameLogs(answer: NodeAnswer, theirAnswer: NodeAnswer): Promise<NodeAnswer> {
    const ours = await logsOf(this.first, answer);
    const theirs = await this.#blamed(() => logsOf(this.#second, theirAnswer));
    const [first, second] = [nodeName(this.first.rpcUrl), nodeName(this.#second.rpcUrl)];
    for (const [has, lacks, one, other] of [
      [ours, theirs, first, second],
      [theirs, ours, second, first],
    ] as const) {
      for (const [key, { blockNumber, transactionHash }] of has) {
        if (lacks.has(key)) continue;
        throw nodesDisagree(
          `the node at ${one} has a fill or a cancel in block ${blockNumber} (transaction ${transactionHash}) which the node at ${other} does not have so.`,
        );
      }
    }
    return answer;
  }

  /** What a contract says. Where only the second cannot carry the call out, it is for the token that it is asked about. */
  async #sameResult({ params }: NodeCall, ours: NodeAnswer, theirs: NodeAnswer): Promise<NodeAnswer> {
    if (!theirs.ok) {
      const message = `${theirs.error.message} (said by the second node)`;
      return { ok: false, error: { ...theirs.error, message } };
    }
    if (!ours.ok || ours.result === theirs.result) return ours;
    const [own, other] = [bytesSchema.safeParse(ours.result), bytesSchema.safeParse(theirs.result)];
    if (!own.success) return ours;
    if (!other.success) return theirs;
    if (own.data === other.data) return ours;
    throw nodesDisagree(this.#saidOtherwise(params, own.data, other.data));
  }

  #saidOtherwise([call, block]: readonly unknown[], ours: string, theirs: string): string {
    const { to, data } = call as { to: Address; data: string };
    const [first, second] = [nodeName(this.first.rpcUrl), nodeName(this.#second.rpcUrl)];
    const where = `at block ${Number(block)}`;
    const what = data.startsWith(BALANCE_OF) ? 'holds' : data.startsWith(ALLOWANCE) ? 'has approved' : null;
    if (what === null) return `the contract ${to} says different things to them ${where}.`;
    const amount = (bytes: string) => this.#options.amountText(to, BigInt(bytes === '0x' ? 0 : bytes.slice(0, 66)));
    return `${where} the maker ${what} ${amount(ours)} by the node at ${first}, and ${amount(theirs)} by the node at ${second}.`;
  }

  async #blockOf(node: NodeClient, number: number): Promise<BlockHeader | null> {
    const read = async () => {
      const [answer] = await node.ask([headerCall(number)]);
      return resultOf(node, 'eth_getBlockByNumber', answer, blockHeaderSchema.nullable());
    };
    return node === this.#second ? this.#blamed(read) : read();
  }

  #ofTheirs<S extends z.ZodType>(method: string, answer: NodeAnswer, schema: S): Promise<z.infer<S>> {
    return this.#blamed(async () => resultOf(this.#second, method, answer, schema));
  }

  /** What goes wrong with this goes wrong with the second node. */
  async #blamed<T>(asked: () => Promise<T>): Promise<T> {
    try {
      return await asked();
    } catch (error) {
      throw this.#blame(error);
    }
  }

  #blame<E>(error: E): E {
    if (typeof error === 'object' && error !== null) this.#ofSecond.add(error);
    return error;
  }
}

function sealOf({ number, hash, parentHash, timestamp }: BlockHeader): string {
  return `${number} ${hash} ${parentHash} ${timestamp}`;
}

type ToldLog = Pick<z.infer<typeof logSchema>, 'blockNumber' | 'transactionHash'>;

/** Logs as a node has them, each by all that it says. A flood of them is read over many turns of the event loop. */
async function logsOf(node: NodeClient, answer: NodeAnswer): Promise<Map<string, ToldLog>> {
  const raw = resultOf(node, 'eth_getLogs', answer, z.array(z.unknown()));
  const logs = new Map<string, ToldLog>();
  for (let from = 0; from < raw.length; from += LOGS_A_TURN) {
    if (from > 0) await nextTurn();
    const part: NodeAnswer = { ok: true, result: raw.slice(from, from + LOGS_A_TURN) };
    for (const log of resultOf(node, 'eth_getLogs', part, z.array(logSchema))) {
      const { address, topics, data, blockNumber, blockHash, transactionHash, logIndex } = log;
      if (log.removed === true) continue;
      const place = [blockNumber, blockHash, transactionHash, logIndex];
      logs.set([...place, address, ...topics, data].join(' '), { blockNumber, transactionHash });
    }
  }
  return logs;
}

/**
 * What is held by the word of both nodes, and never more than the first says of a newer block that the second does not have yet:
 * a second node, however late, has nothing signed that the first by itself would not.
 */
export async function noMoreThanAhead(
  node: AgreedNode,
  { maker, rfqContract }: Pick<ChainConfig, 'maker' | 'rfqContract'>,
  agreed: Holdings,
): Promise<Holdings> {
  const ahead = node.ahead();
  if (ahead === null || agreed.held.size === 0) return agreed;
  const tokens = [...agreed.held.keys()];
  const answers = await readPinned(node.first, ahead, holdingCalls(tokens, maker, rfqContract, ahead.number));
  const newer = readHoldings(node.first, tokens, answers).held;
  const held = new Map<Address, Holding>();
  for (const [token, { balance, allowance }] of agreed.held) {
    const then = newer.get(token);
    if (then === undefined) continue;
    held.set(token, { balance: least(balance, then.balance), allowance: least(allowance, then.allowance) });
  }
  if (isDeepStrictEqual(held, agreed.held)) return agreed;
  return { held, unreadable: [...agreed.unreadable, ...tokens.filter((token) => !held.has(token))] };
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
