import {
  BaseError,
  ContractFunctionRevertedError,
  encodeFunctionData,
  getContractError,
  type PublicClient,
} from 'viem';
import type { Address, Hex } from '../../protocol/address.ts';
import { fromWireOrder } from '../../protocol/order-hash.ts';
import type { OrderState } from '../../protocol/order-record.ts';
import type { SignedOrder } from '../../protocol/wire.ts';
import { lessBps } from '../basis-points.ts';
import { EXECUTOR, TEST_TOKEN } from '../chain/artifacts.ts';
import type { Wallet } from '../chain/wallet.ts';
import { firstLineOf } from '../consumer/failures.ts';
import type { FirmOutcome, MakerConsumer } from '../consumer/maker-consumer.ts';
import type { BlockWatch } from './block-watch.ts';
import type { Habit, HabitWish } from './habits.ts';
import type { Hop, Wish } from './market-view.ts';
import type { Tally } from './tally.ts';

/** What came of a wish. */
export type Ended =
  | { kind: 'filled'; terms: FillTerms; block: bigint; transaction: Hex }
  /** They have their quote and do nothing with it, or nobody waits any more for what comes of it. */
  | { kind: 'left' }
  | { kind: 'reverted'; why: string | null; block: bigint; transaction: Hex }
  | { kind: 'lost'; why: string }
  | { kind: 'refused'; code: string; sentence: string }
  | { kind: 'not_asked'; why: string };

export interface Market {
  consumer: Pick<MakerConsumer, 'firm'>;
  client: PublicClient;
  executor: Address;
  wallets: Readonly<Record<Habit, Wallet>>;
  blocks: BlockWatch;
  /** What the service says of an order now; null when it does not keep it. */
  orderState: (orderHash: Hex) => OrderState | null;
  tally: Tally;
  signal: AbortSignal;
}

/**
 * From the firm quotes to the block of the fill. `explains`: why a transaction was reverted is found out, which costs
 * one more question to the node. Never throws.
 */
export async function carryOut(wish: HabitWish, market: Market, explains: boolean): Promise<Ended> {
  const { habit } = wish;
  const quotes: Quote[] = [];
  let given = wish.hops[0].given;
  for (const hop of wish.hops) {
    const outcome = await askFirm(hop, given, wish, market);
    if (outcome.kind !== 'order') return refusal(outcome, habit, market.tally);
    market.tally.add(habit, 'asked');
    market.tally.add(habit, 'quoted');
    quotes.push(outcome);
    // The next leg is as large as this one's output, not as the grid had it.
    given = outputOf(outcome.order, given);
  }
  const [first, ...others] = quotes;
  if (first === undefined || wish.ending === 'leave') return { kind: 'left' };
  const why = notFillable(quotes, market);
  if (why !== null) {
    market.tally.add(habit, 'lost', quotes.length);
    return { kind: 'lost', why };
  }
  return fill(wish, [first.order, ...others.map(({ order }) => order)], market, explains);
}

type Quote = Extract<FirmOutcome, { kind: 'order' }>;

/**
 * Why an order must not be filled, or null: a taker looks again at its state, and at its expiry against the newest block,
 * before each fill (PROTOCOL 3).
 */
function notFillable(quotes: readonly Quote[], { orderState, blocks }: Market): string | null {
  const seconds = blocks.seconds() ?? 0;
  for (const { hash, order } of quotes) {
    if (order.expiry !== 0 && order.expiry < seconds) return `order ${hash} has expired`;
    const state = orderState(hash);
    if (state !== 'PENDING') return `order ${hash} is ${state ?? 'not known to the service'}`;
  }
  return null;
}

/** In whose name the quote is asked for. */
export function askedFor({ habit, ending }: HabitWish, wallets: Market['wallets']): Address {
  return wallets[ending === 'for_another' ? 'retail' : habit].address;
}

function askFirm(hop: Hop, given: bigint, wish: HabitWish, market: Market): Promise<FirmOutcome> {
  const { pairId, makerToken, takerToken } = hop;
  const { exact, hops, slippageBps } = wish;
  const amounts =
    exact === 'in'
      ? { amount: given, expected: (hop.got * given) / hop.given }
      : { amount: hop.got, expected: hop.given };
  return market.consumer.firm(
    {
      pairId,
      makerToken,
      takerToken,
      exact,
      ...amounts,
      slippageBps: Math.floor(slippageBps / hops.length),
      userAddress: askedFor(wish, market.wallets),
      takerAddress: market.executor,
    },
    market.signal,
  );
}

function refusal(outcome: Exclude<FirmOutcome, { kind: 'order' }>, habit: Habit, tally: Tally): Ended {
  if (outcome.kind === 'not_asked') return outcome;
  const [code, sentence] = inWords(outcome);
  tally.add(habit, 'asked');
  tally.refused(habit, code);
  return { kind: 'refused', code, sentence };
}

function inWords(outcome: Exclude<FirmOutcome, { kind: 'order' | 'not_asked' }>): [code: string, sentence: string] {
  switch (outcome.kind) {
    case 'refused':
      return [outcome.code ?? `http_${outcome.status}`, `refused with ${outcome.status}, ${outcome.sentence}`];
    case 'blacklisted':
      return ['blacklisted', 'no order, so this user is on the blacklist'];
    case 'no_answer':
      return ['no_answer', 'no quote, the maker does not answer'];
    case 'unusable':
      return ['unusable', `the quote is not used, ${outcome.why}`];
  }
}

async function fill(
  wish: HabitWish,
  orders: [SignedOrder, ...SignedOrder[]],
  market: Market,
  explains: boolean,
): Promise<Ended> {
  const { client, executor, wallets, blocks, tally, signal } = market;
  const { habit, ending, hops } = wish;
  const wallet = wallets[habit];
  const terms = fillTerms(wish, orders);
  let call: { to: Address; data: Hex; gas: bigint };
  let transaction: Hex;
  try {
    call = { to: executor, data: fillCall(orders, terms), gas: callGas(hops.length) };
    if (ending === 'no_allowance') await wallet.send(noAllowanceCall(hops[0].takerToken.address, executor));
    transaction = await wallet.send(call);
  } catch (error) {
    tally.add(habit, 'lost', orders.length);
    return { kind: 'lost', why: firstLineOf(error) };
  }
  const mined = await blocks.mined(transaction);
  if (signal.aborted && mined === null) return { kind: 'left' };
  if (mined === null) {
    wallet.forgetNonce();
    tally.add(habit, 'lost', orders.length);
    return { kind: 'lost', why: `transaction ${transaction} came into no block` };
  }
  tally.add(habit, mined.success ? 'filled' : 'reverted', orders.length);
  if (mined.success) return { kind: 'filled', terms, block: mined.block, transaction };
  const why = explains ? await reasonOf(client, { ...call, account: wallet.address }, mined.block) : null;
  return { kind: 'reverted', why, block: mined.block, transaction };
}

/** Tries the call again on the block in which it failed. */
async function reasonOf(
  client: PublicClient,
  call: { account: Address; to: Address; data: Hex },
  block: bigint,
): Promise<string> {
  return client.call({ ...call, blockNumber: block }).then(
    () => 'it would succeed now',
    (error: unknown) => {
      const { cause } =
        error instanceof BaseError
          ? getContractError(error, { abi: EXECUTOR.abi, address: call.to, args: [], functionName: 'fill' })
          : { cause: null };
      if (cause instanceof ContractFunctionRevertedError)
        return cause.reason ?? cause.data?.errorName ?? firstLineOf(error);
      return firstLineOf(error);
    },
  );
}

/**
 * What the node must be let have is more than what is paid for in the end, for some is given back: 162,000 for one pair,
 * 112,000 for each one more. Fixed, so that nothing has to be estimated, and not much above it: a block takes only as
 * many transactions as their limits, not their needs, leave room for.
 */
const GAS_A_HOP = 120_000n;
const GAS_BESIDES = 70_000n;

/** The gas that a fill over so many pairs may use. */
function callGas(hops: number): bigint {
  return GAS_BESIDES + GAS_A_HOP * BigInt(hops);
}

/** The call that fills one order, or several in a row where one's output pays for the next, all or nothing. */
function fillCall(orders: readonly [SignedOrder, ...SignedOrder[]], { paid, least }: FillTerms): Hex {
  const { abi } = EXECUTOR;
  const [first, ...others] = orders;
  if (others.length === 0) {
    const args = [fromWireOrder(first), first.signature, paid, least];
    return encodeFunctionData({ abi, functionName: 'fill', args });
  }
  const args = [orders.map(fromWireOrder), orders.map(({ signature }) => signature), paid, least];
  return encodeFunctionData({ abi, functionName: 'fillPath', args });
}

/** Takes back what the execution contract may take of a token. */
function noAllowanceCall(token: Address, executor: Address): { to: Address; data: Hex; gas: bigint } {
  const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'approve', args: [executor, 0n] });
  return { to: token, data, gas: 80_000n };
}

/** What goes into a fill and what must come out of it at least, in raw units. */
interface FillTerms {
  paid: bigint;
  received: bigint;
  least: bigint;
}

/** What comes out of an order for so much of its taker asset: the contract rounds down. */
function outputOf(order: SignedOrder, paid: bigint): bigint {
  return (paid * BigInt(order.makerAmount)) / BigInt(order.takerAmount);
}

/**
 * The service fills as much as the user needs; what it asked for on top stays open until the order expires. Who names
 * what they get pays as much as that takes, rounded up.
 */
function fillTerms(wish: Wish, orders: readonly [SignedOrder, ...SignedOrder[]]): FillTerms {
  const [first] = wish.hops;
  const [order] = orders;
  const last: Hop = wish.hops.at(-1) ?? first;
  const [makerAmount, takerAmount] = [BigInt(order.makerAmount), BigInt(order.takerAmount)];
  const paid = wish.exact === 'in' ? first.given : (first.got * takerAmount + makerAmount - 1n) / makerAmount;
  const received = orders.reduce((amount, one) => outputOf(one, amount), paid);
  const agreed = wish.exact === 'in' ? lessBps(last.got, wish.slippageBps) : last.got;
  return { paid, received, least: wish.ending === 'wants_more' ? received + 1n : agreed };
}
