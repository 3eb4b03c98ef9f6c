import { z } from 'zod';
import { addressTopic, logSchema, toQuantity } from '../../../chain/node-answers.ts';
import { resultOf } from '../../../chain/node-client.ts';
import type { HedgeStep } from '../../../contract/hedge-steps.ts';
import type { Hex } from '../../../protocol/address.ts';
import { fromRaw } from '../../../protocol/decimal.ts';
import { DeskError } from '../../../protocol/desk-error.ts';
import { isNative } from '../../../protocol/route-token.ts';
import { type BlockRange, rangesOf } from '../../block-ranges.ts';
import { receiptOf } from '../../hedge-node.ts';
import { chainOf } from '../../hedge-parts.ts';
import { type HedgeRun, otherHedges, record } from '../../hedge-run.ts';
import { movedBeside, TRANSFER } from '../../moved-tokens.ts';
import type { LateRun } from '../venue.ts';
import { orderTransactions, signedLeft } from './order-left.ts';
import { ownLogs } from './terms.ts';
import { countedByOthers, shareOfBrought, sharerWithoutPart, type VerifiedOrder } from './verified-amounts.ts';

/** An order as its source chain alone tells it. */
export interface OrderOnChain extends Omit<VerifiedOrder, 'unconfirmed' | 'others'> {
  /** When the newest block of the chain was, Unix seconds. */
  newest: number;
  /**
   * Why this does not prove what became of the order; null when it does. The contract's own events differ from service to
   * service, so a source that left the maker and that nothing else explains is never taken for nothing.
   */
  doubt: string | null;
}

/**
 * Looks for an order on its source chain, without the service: in the events of the intent contract that name its hash, and in
 * the transfers of its source from the maker. Of a transaction that fills orders of other hedges too it takes what these do not count,
 * and nothing while one of them runs and counts no part of it yet. Throws DeskError of the node.
 */
export async function orderOnChain(run: HedgeRun): Promise<OrderOnChain> {
  const { opened, orderHash } = record(run);
  const { chainId, maker, src, dest, beneficiary } = opened;
  const [signed, built] = await Promise.all([
    run.log.last(run.seq, 'order_signed'),
    run.log.last(run.seq, 'order_built'),
  ]);
  const chain = run.node(chainId);
  const { number, timestamp } = await chain.client.getBlock();
  const found: OrderOnChain = {
    spent: 0n,
    received: 0n,
    transactions: [],
    newest: Number(timestamp),
    doubt: null,
  };
  if (signed?.block === undefined || built === null || orderHash === null || isNative(src.address)) {
    return { ...found, doubt: 'this desk does not know from which block on to look for it' };
  }
  const leaves = { address: src.address, topics: [TRANSFER, addressTopic(maker)] };
  const [left = new Set<Hex>(), ...naming] = await transactionsWith(
    run,
    chainId,
    // What was signed when that block was the newest lies behind it.
    { from: signed.block + 1, to: Number(number) },
    [leaves, ...namingFilters(built.spender, orderHash)],
  );
  const named = new Set(naming.flatMap((hashes) => [...hashes]));
  const { rfqContract } = chainOf(run.parts, chainId).config;
  const others = await otherHedges(run);
  const known = new Set(others.flatMap(({ transactions }) => transactions.map(({ hash }) => hash)));
  const [unexplained, shared]: [string[], string[]] = [[], []];
  for (const hash of new Set([...named, ...left])) {
    const receipt = await receiptOf(chain, hash);
    if (receipt === null || receipt.status !== 'success') continue;
    const moved = -movedBeside(rfqContract, receipt.logs, src.address, maker);
    if (!named.has(hash)) {
      if (moved > 0n && receipt.from.toLowerCase() !== maker && !known.has(hash)) unexplained.push(hash);
      continue;
    }
    // In one transaction with others it takes what is not theirs, and no more than it may.
    const source = { chainId, hash, token: src.address, account: maker };
    // Asked before what they count is read: whoever counts theirs between the two is not overlooked.
    const sharer = await sharerWithoutPart(run, others, { ...source, receipt });
    const gave = moved - (await countedByOthers(run, others, { kind: 'fill', ...source }));
    const room = BigInt(built.most) - found.spent;
    const spent = gave < room ? gave : room;
    if (spent <= 0n) continue; // signed or cancelled on chain: nothing moved
    if (sharer !== null) {
      shared.push(`${hash} fills the order of hedge ${sharer.seq} too, which does not count its part yet`);
      continue;
    }
    const { blockNumber, blockHash } = receipt;
    found.spent += spent;
    if (dest.chainId === chainId && !isNative(dest.address)) {
      const got = movedBeside(rfqContract, receipt.logs, dest.address, beneficiary ?? maker);
      found.received += await shareOfBrought(run, others, { opened, source, got, part: spent, moved });
    }
    found.transactions.push({
      chainId,
      hash,
      kind: 'fill' as const,
      amount: `${spent}`,
      block: Number(blockNumber),
      blockHash,
    });
  }
  const crosses = dest.chainId !== chainId || isNative(dest.address);
  const doubt =
    unexplained.length > 0
      ? `${src.symbol} left the maker in ${unexplained.slice(0, 3).join(', ')}, which may be of this order`
      : shared.length > 0
        ? shared.slice(0, 3).join(', ')
        : !ownLogs(opened).source
          ? 'its source lies in a strategy, which moves it without the maker'
          : crosses && found.spent > 0n
            ? `what it brought in ${dest.symbol} cannot be read without the service`
            : null;
  return { ...found, doubt };
}

/**
 * What these blocks took of an order whose hedge has ended, beside what is known of it: by the events that name it, and what the
 * source and destination moved in their transactions, never more than was left of it, and nothing that other hedges count. Of a
 * transaction that is known with less than it moved the rest is taken. Null for nothing. Throws DeskError of the node, and
 * `not_proven` while another hedge, whose order such a transaction fills too, runs and counts no part of it yet.
 */
export async function orderFilledLate({ hedge, steps, blocks, ...run }: LateRun): Promise<HedgeStep | null> {
  const { chainId, maker, src, dest, beneficiary } = hedge.opened;
  const order = signedLeft(hedge, steps);
  if (order === null || isNative(src.address)) return null;
  const transactions = orderTransactions(steps).map((one) => ({ ...one }));
  const others = await otherHedges({ ...run, seq: hedge.seq });
  const { rfqContract } = chainOf(run.parts, chainId).config;
  const crosses = dest.chainId !== chainId || isNative(dest.address);
  let [spent, received] = [0n, 0n];
  const naming = await transactionsWith(run, chainId, blocks, namingFilters(order.spender, order.orderHash));
  for (const hash of new Set(naming.flatMap((hashes) => [...hashes]))) {
    const receipt = await receiptOf(run.node(chainId), hash);
    if (receipt === null || receipt.status !== 'success') continue;
    const moved = -movedBeside(rfqContract, receipt.logs, src.address, maker);
    const known = transactions.filter((one) => one.kind === 'fill' && one.chainId === chainId && one.hash === hash);
    const before = known.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n);
    // Asked before what they count is read: whoever counts theirs between the two is not overlooked.
    const source = { chainId, hash, token: src.address, account: maker };
    const sharer = await sharerWithoutPart(run, others, { ...source, receipt });
    const ofOthers = await countedByOthers(run, others, { kind: 'fill', ...source });
    const [rest, left] = [moved - before - ofOthers, order.left - spent];
    const took = rest < left ? rest : left;
    if (took <= 0n) continue; // signed or cancelled on chain, or known: nothing more moved
    if (sharer !== null) {
      throw new DeskError(
        'not_proven',
        `The transaction ${hash} fills the order of hedge ${sharer.seq} too, which does not count its part yet.`,
      );
    }
    const got = crosses ? 0n : movedBeside(rfqContract, receipt.logs, dest.address, beneficiary ?? maker);
    spent += took;
    received += await shareOfBrought(run, others, { opened: hedge.opened, source, got, part: took, moved });
    const { blockNumber, blockHash } = receipt;
    const amounts = { amount: `${before + took}`, block: Number(blockNumber), blockHash };
    const [first] = known;
    if (first === undefined) transactions.push({ chainId, hash, kind: 'fill', ...amounts });
    else {
      for (const one of known) one.amount = '0';
      Object.assign(first, amounts);
    }
  }
  if (spent === 0n) return null;
  const gave = `${fromRaw(spent, src.decimals)} ${src.symbol}`;
  const brought = crosses
    ? `What it brought in ${dest.symbol} cannot be read there: look for it, and enter it by hand.`
    : `It got ${fromRaw(received, dest.decimals)} ${dest.symbol}.`;
  return {
    step: 'filled_late',
    spent: `${BigInt(hedge.spent) + spent}`,
    received: `${BigInt(hedge.received) + received}`,
    transactions,
    sentence: `It was filled after it ended, and counts: it gave ${gave}. ${brought}`,
  };
}

/** Which of its fields an event names the order in is the contract's own affair. */
function namingFilters(address: string, orderHash: string): object[] {
  return [0, 1, 2].map((fields) => ({ address, topics: [null, ...Array(fields).fill(null), orderHash] }));
}

/** Transactions in these blocks that have an event of each filter. Throws DeskError of the node. */
async function transactionsWith(
  { node: nodeOf, signal }: Pick<HedgeRun, 'node' | 'signal'>,
  chainId: number,
  blocks: BlockRange,
  filters: readonly object[],
): Promise<Set<Hex>[]> {
  const { node } = nodeOf(chainId);
  const found = filters.map(() => new Set<Hex>());
  for (const { from, to } of rangesOf(blocks)) {
    signal.throwIfAborted();
    const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
    const answers = await node.ask(
      filters.map((filter) => ({ method: 'eth_getLogs', params: [{ ...filter, ...range }] })),
    );
    for (const [index, answer] of answers.entries()) {
      for (const log of resultOf(node, 'eth_getLogs', answer, z.array(logSchema))) {
        found[index]?.add(log.transactionHash);
      }
    }
  }
  return found;
}
