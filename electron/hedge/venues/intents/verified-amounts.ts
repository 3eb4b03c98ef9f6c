import type { TransactionReceipt } from 'viem';
import type { HedgeStep } from '../../../contract/hedge-steps.ts';
import type { Address, Hex } from '../../../protocol/address.ts';
import type { IntentOrderRecord } from '../../../protocol/intent-order-record.ts';
import { isNative } from '../../../protocol/route-token.ts';
import { receiptOf } from '../../hedge-node.ts';
import { chainOf } from '../../hedge-parts.ts';
import { type HedgeRun, OTHERS, ofOtherHedges, record } from '../../hedge-run.ts';
import { movedBeside } from '../../moved-tokens.ts';
import { orderTransactions } from './order-left.ts';
import { ownLogs } from './terms.ts';

type OrderTransaction = Extract<HedgeStep, { step: 'order_status' }>['transactions'][number];

/** What an order moved, as far as the chains confirm it. Raw units. */
export interface VerifiedOrder {
  spent: bigint;
  received: bigint;
  /** What came back in tokens that are neither end. */
  others: { chainId: number; token: Address; amount: string }[];
  transactions: OrderTransaction[];
  /** What the service says and no chain confirms yet, for a person; null when all is confirmed. */
  unconfirmed: string | null;
}

/** Something that a transaction is said to have brought to (+) or taken from (−) an account. */
interface Said {
  chainId: number;
  hash: string;
  token: Address;
  account: Address;
  way: 1n | -1n;
  /** Null when the service does not say. */
  amount: bigint | null;
}

/**
 * Reads on chain what the service says of an order: each transaction must be there, succeed, and move as much as is said, the
 * right way, by its Transfer logs. One that is named twice, in whatever letters, moves once; one from before the order was signed, and
 * one of another hedge that does not name this order, move nothing; and all of them together no more than the order may take. The
 * native asset, and a source that lies in a strategy, leave no logs of ours: there the word of the service counts once its transaction is
 * confirmed.
 */
export async function verifyOrder(run: HedgeRun, order: IntentOrderRecord): Promise<VerifiedOrder> {
  const { opened } = record(run);
  const { src, dest, maker, beneficiary } = opened;
  const logs = ownLogs(opened);
  const receiver = beneficiary ?? maker;
  const [others, signed, built] = await Promise.all([
    ofOtherHedges(run),
    run.log.last(run.seq, 'order_signed'),
    run.log.last(run.seq, 'order_built'),
  ]);
  const transactions: OrderTransaction[] = [];
  const missing: string[] = [];
  let [spent, received] = [0n, 0n];
  const receipts = new Map<string, TransactionReceipt | null>();
  /** What of a transaction's logs was counted already. */
  const counted = new Map<string, bigint>();

  const receiptAt = async (chainId: number, hash: string): Promise<TransactionReceipt | null> => {
    const key = `${chainId} ${hash}`;
    if (!receipts.has(key)) receipts.set(key, await receiptOf(run.node(chainId), hash as Hex));
    return receipts.get(key) ?? null;
  };
  const confirmed = async (
    kind: OrderTransaction['kind'],
    { chainId, hash: named, token, account, way: sign, amount }: Said,
  ) => {
    const hash = named.toLowerCase();
    const receipt = await receiptAt(chainId, hash);
    const place = { chainId, hash, kind };
    const why = receipt === null ? '' : foreign(kind, chainId, receipt);
    if (receipt === null || receipt.status !== 'success' || why !== '') {
      missing.push(`${hash} on chain ${chainId}${why}`);
      transactions.push({ ...place, amount: null });
      return 0n;
    }
    let size = amount ?? 0n;
    if (isNative(token)) {
      if (amount === null) missing.push(`the native amount in ${hash} on chain ${chainId}`);
    } else {
      const { rfqContract } = chainOf(run.parts, chainId).config;
      const key = `${chainId} ${hash} ${token} ${account} ${sign}`;
      if (kind === 'delivery' && others.has(hash) && !counted.has(key)) {
        counted.set(key, await deliveredToOthers(run, { chainId, hash, token, account }));
      }
      const left = sign * movedBeside(rfqContract, receipt.logs, token, account) - (counted.get(key) ?? 0n);
      const there = left > 0n ? left : 0n;
      size = amount === null || amount > there ? there : amount;
      if (amount !== null && amount > there) missing.push(`${amount - there} raw units in ${hash} on chain ${chainId}`);
      counted.set(key, (counted.get(key) ?? 0n) + size);
    }
    if (kind === 'fill' && built !== null) {
      const room = BigInt(built.most) - spent;
      if (size > room) {
        if (amount !== null) missing.push(`${size - room} raw units in ${hash}, more than the order may take`);
        size = room;
      }
    }
    const { blockNumber, blockHash } = receipt;
    transactions.push({ ...place, amount: `${size}`, block: Number(blockNumber), blockHash });
    return size;
  };
  /** Why a transaction cannot be of this order, for a person; nothing where it can. */
  const foreign = (kind: OrderTransaction['kind'], chainId: number, receipt: TransactionReceipt): string => {
    const { from, logs: written, blockNumber, transactionHash } = receipt;
    // What was signed when that block was the newest lies behind it.
    if (chainId === src.chainId && blockNumber <= BigInt(signed?.block ?? -1))
      return ', which is of before it was signed';
    // Those who deliver on another chain may do so for several at once, and name none: what they count of it is theirs.
    if (!others.has(transactionHash.toLowerCase()) || (kind === 'delivery' && chainId !== src.chainId)) return '';
    const hash = signed?.orderHash.slice(2).toLowerCase() ?? '';
    const isNamed = written.some(({ topics, data }) =>
      [...topics, data].some((text) => text.toLowerCase().includes(hash)),
    );
    return from.toLowerCase() === maker || !isNamed ? ', which is of another hedge' : '';
  };
  const told = (amount: string | null | undefined) => (amount === null || amount === undefined ? null : BigInt(amount));

  for (const { originTx, destinationTx, spentAmount, receivedAmount } of order.transactions ?? []) {
    if (originTx) {
      const said = told(spentAmount);
      const token = !logs.source && said !== null ? NOWHERE : src.address;
      spent += await confirmed('fill', {
        chainId: src.chainId,
        hash: originTx,
        token,
        account: maker,
        way: -1n,
        amount: said,
      });
    }
    const delivery = destinationTx ?? (src.chainId === dest.chainId ? originTx : null);
    if (delivery) {
      const amount = logs.saidAmount ? told(receivedAmount) : null;
      const ends = { chainId: dest.chainId, hash: delivery, token: dest.address, account: receiver };
      const before = transactions.length;
      received += await confirmed('delivery', { ...ends, way: 1n, amount });
      if (delivery === originTx) transactions.splice(before);
    }
  }
  let refunded = 0n;
  const returned = new Map<string, { chainId: number; token: Address; amount: bigint }>();
  for (const { tx, chainId, token, amount: said } of order.refunds ?? []) {
    const address = token.toLowerCase() as Address;
    const ends = { chainId, hash: tx, token: address, account: maker };
    const amount = await confirmed('refund', { ...ends, way: 1n, amount: BigInt(said) });
    if (chainId === src.chainId && address === src.address) refunded += amount;
    else if (chainId === dest.chainId && address === dest.address) received += amount;
    else if (await isKnown(run, chainId, address)) {
      const before = returned.get(`${chainId} ${address}`)?.amount ?? 0n;
      returned.set(`${chainId} ${address}`, { chainId, token: address, amount: before + amount });
    } else missing.push(`the refund ${tx} in ${address} on chain ${chainId}, which is neither of the order nor listed`);
  }
  missing.push(...untold(order, spent));
  if (order.status === 'COMPLETED' && src.chainId !== dest.chainId && signed !== null && built !== null) {
    const least = built.arrives === undefined ? behindBridge(signed.order, BigInt(built.least)) : BigInt(built.arrives);
    const isShort = received === 0n || received * WHOLE_PERCENT < least * (WHOLE_PERCENT - MOST_KEPT_PERCENT);
    if (isShort) missing.push(`what arrived on chain ${dest.chainId}, ${received} raw units by now of about ${least}`);
  }
  return {
    spent: spent - refunded,
    received,
    others: [...returned.values()].map((one) => ({ ...one, amount: `${one.amount}` })),
    transactions,
    unconfirmed: missing.length === 0 ? null : [...new Set(missing)].join(', '),
  };
}

/**
 * Whether a bridge may give back this token: one that the signed order puts into it or gets out of it, or one that is listed. Any
 * other contract can write the logs of a transfer that is worth nothing.
 */
async function isKnown(run: HedgeRun, chainId: number, token: Address): Promise<boolean> {
  const { chainId: from, dest } = record(run).opened;
  const order = (await run.log.last(run.seq, 'order_signed'))?.order;
  const bridge = order?.bridge as { outputToken?: unknown } | undefined;
  const named = (value: unknown) => typeof value === 'string' && value.toLowerCase() === token;
  if (chainId === from && named(order?.destToken)) return true;
  if (chainId === dest.chainId && named(bridge?.outputToken)) return true;
  const tokens = run.parts.book.chain(chainId)?.tokens.values() ?? [];
  return [...tokens].some(({ address }) => address === token);
}

/** What other hedges count of a transaction that delivered this token to this account. */
async function deliveredToOthers(
  { parts, seq }: Pick<HedgeRun, 'parts' | 'seq'>,
  { chainId, hash, token, account }: Omit<Said, 'way' | 'amount'>,
): Promise<bigint> {
  const { read } = parts.journal;
  let sum = 0n;
  for (const hedge of await read.hedges({ limit: OTHERS })) {
    const { dest, maker, beneficiary } = hedge.opened;
    const isSame = dest.chainId === chainId && dest.address === token && (beneficiary ?? maker) === account;
    if (hedge.seq === seq || !isSame || hedge.transactions.every((one) => one.hash !== hash)) continue;
    const steps = (await read.hedgeSteps(hedge.seq)).map(({ step }) => step);
    for (const one of orderTransactions(steps)) {
      if (one.kind === 'delivery' && one.chainId === chainId && one.hash === hash) sum += BigInt(one.amount ?? 0);
    }
  }
  return sum;
}

/** What an order that has ended must have left on chain, and the service does not name a transaction for. */
function untold({ status, input, refunds }: IntentOrderRecord, spent: bigint): string[] {
  if (status === 'COMPLETED' && spent === 0n) return ['the fill of an order that is said to be completed'];
  if (status === 'REFUNDED' && (refunds ?? []).length === 0)
    return ['the refund of an order that is said to be refunded'];
  const executed = BigInt(input?.executedAmount ?? 0);
  const isOver = status === 'FAILED' || status === 'EXPIRED' || status === 'CANCELLED';
  return isOver && spent === 0n && executed > 0n ? [`${executed} raw units that are said to be filled`] : [];
}

/** The most that a bridge keeps of what goes into it, in percent: more than that has not arrived yet. */
const MOST_KEPT_PERCENT = 5n;
const WHOLE_PERCENT = 100n;

/** An amount that goes into the bridge of a signed order in units of what comes out of it. */
function behindBridge(order: Record<string, unknown>, amount: bigint): bigint {
  const scaling = Number((order.bridge as { scalingFactor?: unknown } | undefined)?.scalingFactor ?? 0);
  const scale = 10n ** BigInt(Math.abs(scaling));
  return scaling < 0 ? amount / scale : amount * scale;
}

/** Of which no log tells anything: only the transaction itself is looked at. */
const NOWHERE: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
