import { type Abi, encodeAbiParameters, encodeEventTopics, erc20Abi, keccak256, toFunctionSelector, toHex } from 'viem';
import type { NodeCall, NodeClient } from '../electron/chain/node-client.ts';
import { nodeUnreachable } from '../electron/chain/node-fault.ts';
import { RFQ_ABI } from '../electron/chain/rfq-abi.ts';
import type { Address, Hex } from '../electron/protocol/address.ts';
import { CHAIN, USDC, USER, WETH } from './book/fixture.ts';

/** When a model of a chain begins, Unix seconds. */
export const START = 1_800_000_000;
/** More than the maker ever has. */
const ENOUGH = 10n ** 30n;

/** An order that a taker holds: so much WETH until a second. */
export interface GivenOrder {
  hash: Hex;
  /** Raw units. */
  amount: bigint;
  /** Unix seconds. */
  expiry: number;
}

/** Which of the orders that can be filled, and how much of it; or that it is cancelled. */
export interface Pick {
  which: number;
  part: number;
  cancel: boolean;
}

interface Happening<Order> {
  order: Order;
  /** Zero for a cancel. */
  amount: bigint;
  transactionHash: Hex;
}

export interface Block<Order> {
  number: number;
  hash: Hex;
  parentHash: Hex;
  timestamp: number;
  /** What WETH the maker holds after it, and what of it may be taken. */
  balance: bigint;
  allowance: bigint;
  happened: Happening<Order>[];
}

export const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const quantity = (value: number): Hex => `0x${value.toString(16)}`;
const BALANCE_OF = toFunctionSelector(
  erc20Abi.find((item) => item.type === 'function' && item.name === 'balanceOf') as never,
);

/**
 * The truth of a chain, which no desk under test is told: its blocks, what takers fill of the orders they hold, and so what the
 * maker must be able to pay at any moment. Every model of solvency is judged by it.
 */
export class TrueChain<Order extends GivenOrder> {
  blocks: Block<Order>[] = [];
  #serial = 0n;

  constructor(balance: bigint, blocks = 1, allowance = ENOUGH) {
    for (let number = 0; number < blocks; number += 1) {
      push(this.blocks, 'a', START - blocks + number + 1, { balance, allowance });
    }
  }

  get head(): Block<Order> {
    const head = this.blocks.at(-1);
    if (head === undefined) throw new Error('a chain without blocks');
    return head;
  }

  /** One more block, in which nothing happened yet but what the maker got, and allowed where that is more than before. */
  mine(timestamp: number, deposit = 0n, approved = 0n): void {
    const { balance, allowance } = this.head;
    push(this.blocks, 'a', timestamp, {
      balance: balance + deposit,
      allowance: approved > allowance ? approved : allowance,
    });
  }

  /** In the newest block takers fill some of the orders that they hold, or the maker cancels them. */
  take(picks: readonly Pick[], held: readonly Order[]): void {
    const { head } = this;
    for (const { which, part, cancel } of picks) {
      const order = pick(held, which, (candidate) => this.fillable(candidate) > 0n);
      if (order === undefined) continue;
      const amount = cancel ? 0n : this.fillable(order) / BigInt(part + 1) || 1n;
      head.happened.push({ order, amount, transactionHash: word(++this.#serial) });
      head.balance -= amount;
      head.allowance -= amount;
    }
  }

  /** The newest blocks are gone, as if they had never been. */
  reorganise(depth: number): void {
    this.blocks = this.blocks.slice(0, Math.max(1, this.blocks.length - depth));
  }

  /** What can still be filled of an order that a taker holds, raw units. */
  fillable(order: Order): bigint {
    if (order.expiry < this.head.timestamp) return 0n;
    const events = this.blocks.flatMap(({ happened }) => happened).filter((happening) => happening.order === order);
    if (events.some(({ amount }) => amount === 0n)) return 0n;
    return events.reduce((left, { amount }) => left - amount, order.amount);
  }

  /** What is left of balance or allowance, whichever is less, when takers fill everything that they can in the very next block. */
  leftAtWorst(held: readonly Order[]): bigint {
    const { balance, allowance } = this.head;
    return held.reduce((left, order) => left - this.fillable(order), balance < allowance ? balance : allowance);
  }
}

/** One of those that are wanted, whatever the number; undefined where there is none. */
export function pick<T>(from: readonly T[], which: number, wanted: (one: T) => boolean): T | undefined {
  const found = from.filter(wanted);
  return found[which % Math.max(1, found.length)];
}

/** A block on others. Its hash binds all before it, as a real one does. */
function push<Order>(
  blocks: Block<Order>[],
  branch: string,
  timestamp: number,
  { balance, allowance }: { balance: bigint; allowance: bigint },
): void {
  const parentHash = blocks.at(-1)?.hash ?? word(0);
  const hash = keccak256(toHex(`${branch} ${parentHash}`));
  blocks.push({ number: blocks.length, hash, parentHash, timestamp, balance, allowance, happened: [] });
}

export type Lie =
  | { kind: 'none' | 'silent' | 'another' | 'swept' | 'rich' | 'hidden' | 'cancelled' }
  | { kind: 'branch' | 'behind'; depth: number }
  | { kind: 'time'; seconds: number };

/** The one node of a chain, which may lie about it. */
export class LyingNode<Order extends GivenOrder> implements NodeClient {
  readonly rpcUrl = 'http://127.0.0.1:1';
  readonly pass = () => false;
  lie: Lie = { kind: 'none' };
  readonly #chain: TrueChain<Order>;
  readonly #of: { contract: Address; maker: Address; orders?: () => readonly Order[] };

  /** `orders`: what it may say is cancelled. */
  constructor(chain: TrueChain<Order>, of: { contract: Address; maker: Address; orders?: () => readonly Order[] }) {
    this.#chain = chain;
    this.#of = of;
  }

  batchSize(): number {
    return 100;
  }

  close(): void {}

  async ask(calls: readonly NodeCall[]): Promise<{ ok: true; result: unknown }[]> {
    if (this.lie.kind === 'silent') throw nodeUnreachable(this.rpcUrl, new Error('silent'));
    const blocks = this.#shown();
    return calls.map(({ method, params }) => ({ ok: true, result: this.#result(blocks, method, params) }));
  }

  /**
   * The blocks as they are shown. What is made up holds none of our fills; the balance that is told is the true one, for nobody who
   * has one node could see through it where it forges that.
   */
  #shown(): Block<Order>[] {
    const { lie } = this;
    const { blocks: truth, head } = this.#chain;
    const madeUp = (from: number, branch: string) => {
      const blocks = truth.slice(0, from);
      for (const { timestamp } of truth.slice(from)) push(blocks, branch, timestamp, head);
      return blocks;
    };
    if (lie.kind === 'another') return madeUp(0, 'b');
    if (lie.kind === 'swept') return madeUp(1, 'd');
    if (lie.kind === 'branch') return madeUp(Math.max(1, truth.length - lie.depth), 'c');
    if (lie.kind === 'behind') return truth.slice(0, Math.max(1, truth.length - lie.depth));
    if (lie.kind !== 'time') return truth;
    return [...truth.slice(0, -1), { ...head, timestamp: head.timestamp + lie.seconds }];
  }

  #result(blocks: readonly Block<Order>[], method: string, params: readonly unknown[]): unknown {
    if (method === 'eth_chainId') return quantity(CHAIN);
    if (method === 'eth_getBlockByNumber') {
      const block = params[0] === 'latest' ? blocks.at(-1) : blocks[Number(params[0])];
      if (block === undefined) return null;
      const { hash, parentHash } = block;
      return { number: quantity(block.number), hash, parentHash, timestamp: quantity(block.timestamp) };
    }
    if (method === 'eth_call') {
      const { data } = params[0] as { data: Hex };
      const more = this.lie.kind === 'rich' ? 5_000n : 0n;
      const { balance = 0n, allowance = 0n } = blocks[Number(params[1])] ?? {};
      return word(data.startsWith(BALANCE_OF) ? balance + more : allowance);
    }
    const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex };
    if (this.lie.kind === 'hidden') return [];
    const asked = blocks.filter(({ number }) => number >= Number(fromBlock) && number <= Number(toBlock));
    const last = asked.at(-1);
    const made = this.lie.kind !== 'cancelled' || last === undefined ? [] : (this.#of.orders?.() ?? []);
    const forged = made.map((order, index) => {
      const happening = { order, amount: 0n, transactionHash: word(BigInt(index) + 7_000n) };
      return this.#logOf(last as Block<Order>, happening, 500 + index);
    });
    const told = asked.flatMap((block) =>
      block.happened.map((happening, index) => this.#logOf(block, happening, index)),
    );
    return [...told, ...forged];
  }

  #logOf({ number, hash }: Block<Order>, { order, amount, transactionHash }: Happening<Order>, index: number) {
    const { contract, maker } = this.#of;
    const fill = amount > 0n;
    const abi: Abi = RFQ_ABI;
    const args = { orderHash: order.hash, maker, taker: USER };
    const topics = encodeEventTopics({ abi, eventName: fill ? 'OrderFilled' : 'OrderCancelled', args });
    const moved = ['address', 'uint256', 'address', 'uint256'].map((type) => ({ type }));
    const data = fill ? encodeAbiParameters(moved, [WETH, amount, USDC, 1n]) : '0x';
    const place = { blockNumber: quantity(number), blockHash: hash, transactionHash, logIndex: quantity(index) };
    return { address: contract, topics, data, ...place };
  }
}
