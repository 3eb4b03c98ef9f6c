import { z } from 'zod';
import { addressTopic, logSchema, toQuantity } from '../../../chain/node-answers.ts';
import { resultOf } from '../../../chain/node-client.ts';
import type { Address, Hex } from '../../../protocol/address.ts';
import { isNative } from '../../../protocol/route-token.ts';
import { receiptOf } from '../../hedge-node.ts';
import { chainOf } from '../../hedge-parts.ts';
import { type HedgeRun, ofOtherHedges, record } from '../../hedge-run.ts';
import { movedBeside, TRANSFER } from '../../moved-tokens.ts';
import { ownLogs } from './terms.ts';
import type { VerifiedOrder } from './verified-amounts.ts';

/** Blocks of logs that are asked for at once; providers give no more than this everywhere. */
const BLOCKS_AT_ONCE = 1_000;

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
 * the transfers of its source from the maker. Throws DeskError of the node.
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
  const { named, left } = await logsOf(run, {
    // What was signed when that block was the newest lies behind it.
    from: signed.block + 1,
    to: Number(number),
    contract: built.spender as Address,
    orderHash: orderHash as Hex,
    token: src.address,
    maker,
  });
  const { rfqContract } = chainOf(run.parts, chainId).config;
  const known = await ofOtherHedges(run);
  const unexplained: string[] = [];
  for (const hash of new Set([...named, ...left])) {
    const receipt = await receiptOf(chain, hash);
    if (receipt === null || receipt.status !== 'success') continue;
    const spent = -movedBeside(rfqContract, receipt.logs, src.address, maker);
    if (!named.has(hash)) {
      if (spent > 0n && receipt.from.toLowerCase() !== maker && !known.has(hash)) unexplained.push(hash);
      continue;
    }
    if (spent <= 0n) continue; // signed or cancelled on chain: nothing moved
    const { blockNumber, blockHash } = receipt;
    found.spent += spent;
    if (dest.chainId === chainId && !isNative(dest.address)) {
      const got = movedBeside(rfqContract, receipt.logs, dest.address, beneficiary ?? maker);
      if (got > 0n) found.received += got;
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
      : !ownLogs(opened).source
        ? 'its source lies in a strategy, which moves it without the maker'
        : crosses && found.spent > 0n
          ? `what it brought in ${dest.symbol} cannot be read without the service`
          : null;
  return { ...found, doubt };
}

interface Where {
  from: number;
  to: number;
  contract: Address;
  orderHash: Hex;
  token: Address;
  maker: Address;
}

/** Transactions in which the contract names the order, and those in which the token leaves the maker. */
async function logsOf(run: HedgeRun, where: Where): Promise<{ named: Set<Hex>; left: Set<Hex> }> {
  const { node } = run.node(record(run).opened.chainId);
  const { contract: address, orderHash, token, maker } = where;
  const [named, left] = [new Set<Hex>(), new Set<Hex>()];
  for (let from = where.from; from <= where.to; from += BLOCKS_AT_ONCE) {
    run.signal.throwIfAborted();
    const range = {
      fromBlock: toQuantity(from),
      toBlock: toQuantity(Math.min(from + BLOCKS_AT_ONCE - 1, where.to)),
    };
    const ask = (filter: object) => ({ method: 'eth_getLogs', params: [{ ...filter, ...range }] });
    // Which of its fields an event names the order in is the contract's own affair.
    const answers = await node.ask([
      ask({ address, topics: [null, orderHash] }),
      ask({ address, topics: [null, null, orderHash] }),
      ask({ address, topics: [null, null, null, orderHash] }),
      ask({ address: token, topics: [TRANSFER, addressTopic(maker)] }),
    ]);
    for (const [index, answer] of answers.entries()) {
      for (const log of resultOf(node, 'eth_getLogs', answer, z.array(logSchema))) {
        (index === 3 ? left : named).add(log.transactionHash);
      }
    }
  }
  return { named, left };
}
