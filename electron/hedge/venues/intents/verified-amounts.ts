import type { TransactionReceipt } from 'viem';
import type { HedgeStep } from '../../../contract/hedge-steps.ts';
import { type HedgeRecord, isEnded } from '../../../journal/hedges/fold.ts';
import type { Address, Hex } from '../../../protocol/address.ts';
import type { IntentOrderRecord } from '../../../protocol/intent-order-record.ts';
import { isNative } from '../../../protocol/route-token.ts';
import { receiptOf } from '../../hedge-node.ts';
import { chainOf } from '../../hedge-parts.ts';
import { type HedgeRun, otherHedges, record } from '../../hedge-run.ts';
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
  /** The most of it that is of the order, where that is not all. */
  most?: bigint | null;
}

/**
 * Reads on chain what the service says of an order: each transaction must be there, succeed, and move as much as is said, the
 * right way, by its Transfer logs. One from before the order was signed moves nothing, at either end. One that is named twice, in
 * whatever letters, moves once; and all of them together no more than the order may take. On the source chain a transaction is the
 * order's by the events that name it: what such a one moved counts also where the service says less. Of those that do not name it, one
 * of another hedge, one that the maker sent, and one that did not pay for what it took move nothing. The native asset, and a source that
 * lies in a strategy, leave no logs of ours: there the word of the service counts once its transaction is confirmed.
 */
export async function verifyOrder(run: HedgeRun, order: IntentOrderRecord): Promise<VerifiedOrder> {
  const { opened } = record(run);
  const { src, dest, maker, beneficiary } = opened;
  const logs = ownLogs(opened);
  const receiver = beneficiary ?? maker;
  const [others, signed, built] = await Promise.all([
    otherHedges(run),
    run.log.last(run.seq, 'order_signed'),
    run.log.last(run.seq, 'order_built'),
  ]);
  const known = new Set(others.flatMap((hedge) => hedge.transactions.map(({ hash }) => hash)));
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
    { chainId, hash: named, token, account, way: sign, amount, most = null }: Said,
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
      if (kind !== 'refund' && known.has(hash) && !counted.has(key)) {
        counted.set(key, await countedByOthers(run, others, { kind, chainId, hash, token, account }));
      }
      const left = sign * movedBeside(rfqContract, receipt.logs, token, account) - (counted.get(key) ?? 0n);
      const own = most === null || left < most ? left : most;
      const there = own > 0n ? own : 0n;
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
  const orderHash = signed?.orderHash ?? '';
  const names = (receipt: TransactionReceipt) => isNamedIn(receipt, orderHash);
  const namesAnother = (receipt: TransactionReceipt) =>
    others.some((hedge) => hedge.orderHash !== null && isNamedIn(receipt, hedge.orderHash));
  /** Why a transaction cannot be of this order, for a person; nothing where it can. */
  const foreign = (kind: OrderTransaction['kind'], chainId: number, receipt: TransactionReceipt): string => {
    const [from, to] = [receipt.from.toLowerCase(), receipt.to?.toLowerCase()];
    // What was signed when that block was the newest lies behind it.
    const since = chainId === src.chainId ? signed?.block : chainId === dest.chainId ? signed?.destBlock : undefined;
    if (receipt.blockNumber <= BigInt(since ?? -1)) return ', which is of before it was signed';
    // Those who deliver on another chain may do so for several at once, and name none: what they count of it is theirs.
    if (kind === 'delivery' && chainId !== src.chainId) return '';
    const isNamed = names(receipt);
    const isOfOther = known.has(receipt.transactionHash.toLowerCase())
      ? from === maker || !isNamed
      : kind !== 'refund' && !isNamed && namesAnother(receipt);
    if (isOfOther) return ', which is of another hedge';
    // Only what is native has to be sent along by the maker; a refund may be fetched by them.
    const isOwn = kind !== 'refund' && !isNative(src.address) && (from === maker || to === maker);
    return isOwn && !isNamed ? ', which the maker sent and which does not name the order' : '';
  };
  const inLogs = (receipt: TransactionReceipt, token: Address, account: Address) =>
    movedBeside(chainOf(run.parts, src.chainId).config.rfqContract, receipt.logs, token, account);
  /** Whether a fill on the chain of both ends took the source, and neither names the order nor brings what was agreed for that. */
  const isUnpaid = async (fill: string, delivery: string): Promise<boolean> => {
    if (built === null || isNative(dest.address) || !logs.saidAmount) return false;
    const taking = await receiptAt(src.chainId, fill.toLowerCase());
    const paying = await receiptAt(src.chainId, delivery.toLowerCase());
    if (taking === null || paying === null || foreign('fill', src.chainId, taking) !== '') return false;
    if (names(taking) || names(paying)) return false;
    const [least, most] = [BigInt(built.least), BigInt(built.most)];
    const gave = -inLogs(taking, src.address, maker);
    const got = inLogs(paying, dest.address, receiver);
    return gave > 0n && got * most * WHOLE_PERCENT < leastKept(least) * (gave < most ? gave : most);
  };
  /**
   * What an order brought in a fill that pays for another of ours too, where the service does not tell that apart: its share by what was
   * taken for each. Null where all that is said may be its own.
   */
  const shareOf = async (receipt: TransactionReceipt, part: bigint, said: bigint | null): Promise<bigint | null> => {
    if (isNative(dest.address)) return null;
    const hash = receipt.transactionHash.toLowerCase();
    const got = inLogs(receipt, dest.address, receiver);
    if (said !== null && said < got) return null;
    const source = { chainId: src.chainId, hash, token: src.address, account: maker };
    const moved = -inLogs(receipt, src.address, maker);
    // Asked before what they count is read: whoever counts theirs between the two is not overlooked.
    const sharer = await sharerWithoutPart(run, others, { ...source, receipt });
    if (sharer !== null) {
      missing.push(`${hash} fills the order of hedge ${sharer.seq} too, which does not count its part yet`);
      return 0n;
    }
    if (part > moved) {
      missing.push(`${hash} fills another order too, and which part of what it brought is of this one`);
      return 0n;
    }
    return part === 0n ? 0n : shareOfBrought(run, others, { opened, source, got, part, moved });
  };
  const told = (amount: string | null | undefined) => (amount === null || amount === undefined ? null : BigInt(amount));

  for (const { originTx, destinationTx, spentAmount, receivedAmount } of order.transactions ?? []) {
    const delivery = destinationTx ?? (src.chainId === dest.chainId ? originTx : null);
    if (src.chainId === dest.chainId && originTx && delivery && (await isUnpaid(originTx, delivery))) {
      const hash = originTx.toLowerCase();
      missing.push(`${hash} on chain ${src.chainId}, which did not bring what was agreed for what it took`);
      transactions.push({ chainId: src.chainId, hash, kind: 'fill', amount: null });
      continue;
    }
    let part = 0n;
    if (originTx) {
      const said = told(spentAmount);
      const token = !logs.source && said !== null ? NOWHERE : src.address;
      part = await confirmed('fill', {
        chainId: src.chainId,
        hash: originTx,
        token,
        account: maker,
        way: -1n,
        amount: said,
      });
      spent += part;
    }
    if (delivery) {
      const said = logs.saidAmount ? told(receivedAmount) : null;
      const isFill = src.chainId === dest.chainId && delivery.toLowerCase() === originTx?.toLowerCase();
      const receipt = isFill ? await receiptAt(dest.chainId, delivery.toLowerCase()) : null;
      const shared = receipt !== null && namesAnother(receipt) ? receipt : null;
      const most = shared === null ? null : await shareOf(shared, part, said);
      const amount = most === null ? said : null;
      const ends = { chainId: dest.chainId, hash: delivery, token: dest.address, account: receiver };
      const before = transactions.length;
      received += await confirmed('delivery', { ...ends, way: 1n, amount, most });
      // The fill tells it, unless another order of ours is paid there too: that one has to leave this part alone.
      if (isFill && shared === null) transactions.splice(before);
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
  for (const fill of transactions) {
    const receipt = receipts.get(`${fill.chainId} ${fill.hash}`) ?? null;
    if (fill.kind !== 'fill' || fill.amount === null || receipt === null || built === null) continue;
    const isOursAlone = names(receipt) && !namesAnother(receipt);
    const rest = (token: Address, account: Address, way: 1n | -1n) => {
      const key = `${fill.chainId} ${fill.hash} ${token} ${account} ${way}`;
      const amount = counted.get(key);
      return amount === undefined ? 0n : way * inLogs(receipt, token, account) - amount;
    };
    const [more, room] = [rest(src.address, maker, -1n), BigInt(built.most) - spent];
    const took = more < room ? more : room;
    if (took > 0n && isOursAlone) {
      spent += took;
      fill.amount = `${BigInt(fill.amount) + took}`;
      const key = `${fill.chainId} ${fill.hash} ${src.address} ${maker} -1`;
      counted.set(key, (counted.get(key) ?? 0n) + took);
    } else if (took > 0n) missing.push(`${took} raw units in ${fill.hash}, of which the service says nothing`);
    const brought = rest(dest.address, receiver, 1n);
    if (brought > 0n && isOursAlone) {
      received += brought;
      const key = `${fill.chainId} ${fill.hash} ${dest.address} ${receiver} 1`;
      counted.set(key, (counted.get(key) ?? 0n) + brought);
    }
  }
  missing.push(...untold(order, spent));
  if (order.status === 'COMPLETED' && src.chainId !== dest.chainId && signed !== null && built !== null) {
    const least = built.arrives === undefined ? behindBridge(signed.order, BigInt(built.least)) : BigInt(built.arrives);
    const isShort = received === 0n || received * WHOLE_PERCENT < leastKept(least);
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

/** What other hedges count of this token and account in a transaction that filled or delivered them. */
export async function countedByOthers(
  { parts }: Pick<HedgeRun, 'parts'>,
  others: readonly HedgeRecord[],
  { kind, chainId, hash, token, account }: Omit<Said, 'way' | 'amount'> & { kind: 'fill' | 'delivery' },
): Promise<bigint> {
  let sum = 0n;
  for (const hedge of others) {
    const { src, dest, maker, beneficiary } = hedge.opened;
    const [end, owner] = kind === 'fill' ? [src, maker] : [dest, beneficiary ?? maker];
    const isSame = end.chainId === chainId && end.address === token && owner === account;
    if (!isSame || hedge.transactions.every((one) => one.hash !== hash)) continue;
    const steps = (await parts.journal.read.hedgeSteps(hedge.seq)).map(({ step }) => step);
    for (const one of orderTransactions(steps)) {
      if (one.kind === kind && one.chainId === chainId && one.hash === hash) sum += BigInt(one.amount ?? 0);
    }
  }
  return sum;
}

/**
 * Of what a transaction brought its receiver, `got`, the share of an order that took `part` of the source that it `moved`. Orders of other
 * hedges that bring something else, or to somebody else, have none in it.
 */
export async function shareOfBrought(
  run: Pick<HedgeRun, 'parts'>,
  others: readonly HedgeRecord[],
  {
    opened: { dest, maker, beneficiary },
    source,
    got,
    part,
    moved,
  }: {
    opened: HedgeRecord['opened'];
    source: Omit<Said, 'way' | 'amount'>;
    got: bigint;
    part: bigint;
    moved: bigint;
  },
): Promise<bigint> {
  if (got <= 0n) return 0n;
  const isElsewhere = ({ opened: one }: HedgeRecord) =>
    one.dest.chainId !== dest.chainId ||
    one.dest.address !== dest.address ||
    (one.beneficiary ?? one.maker) !== (beneficiary ?? maker);
  const elsewhere = await countedByOthers(run, others.filter(isElsewhere), { kind: 'fill', ...source });
  return (got * part) / (moved - elsewhere);
}

/**
 * Of these hedges, as they were read, one of the same source and maker that runs, whose order a transaction names, and that counts no part
 * of it yet; null where there is none.
 */
export async function sharerWithoutPart(
  { parts }: Pick<HedgeRun, 'parts'>,
  others: readonly HedgeRecord[],
  { chainId, token, account, receipt }: Omit<Said, 'way' | 'amount' | 'hash'> & { receipt: TransactionReceipt },
): Promise<HedgeRecord | null> {
  for (const hedge of others) {
    const { src, maker } = hedge.opened;
    if (src.chainId !== chainId || src.address !== token || maker !== account) continue;
    if (isEnded(hedge) || hedge.orderHash === null || !isNamedIn(receipt, hedge.orderHash)) continue;
    if (hedge.transactions.every(({ hash }) => hash !== receipt.transactionHash.toLowerCase())) return hedge;
    const steps = (await parts.journal.read.hedgeSteps(hedge.seq)).map(({ step }) => step);
    const isCounted = orderTransactions(steps).some(
      (one) =>
        one.chainId === chainId && one.hash === receipt.transactionHash.toLowerCase() && BigInt(one.amount ?? 0) > 0n,
    );
    if (!isCounted) return hedge;
  }
  return null;
}

/** Whether the events of a transaction name an order; which of their fields do so is the contract's own affair. */
function isNamedIn({ logs }: Pick<TransactionReceipt, 'logs'>, orderHash: string): boolean {
  const hash = orderHash.replace(/^0x/, '').toLowerCase();
  return logs.some(({ topics, data }) => [...topics, data].some((text) => text.toLowerCase().includes(hash)));
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

/** The most that a bridge, or a token by its own fee, keeps of an amount, in percent: where more is missing it was not paid. */
const MOST_KEPT_PERCENT = 5n;
const WHOLE_PERCENT = 100n;

/** What is left of an amount behind whoever keeps most of it, in hundredths. */
function leastKept(amount: bigint): bigint {
  return amount * (WHOLE_PERCENT - MOST_KEPT_PERCENT);
}

/** An amount that goes into the bridge of a signed order in units of what comes out of it. */
function behindBridge(order: Record<string, unknown>, amount: bigint): bigint {
  const scaling = Number((order.bridge as { scalingFactor?: unknown } | undefined)?.scalingFactor ?? 0);
  const scale = 10n ** BigInt(Math.abs(scaling));
  return scaling < 0 ? amount / scale : amount * scale;
}

/** Of which no log tells anything: only the transaction itself is looked at. */
const NOWHERE: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
