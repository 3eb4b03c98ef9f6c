import { decodeEventLog, encodeEventTopics } from 'viem';
import { z } from 'zod';
import { type Address, addressSchema, type Hex } from '../protocol/address.ts';
import { addressTopic, logSchema, type NodeLog, toQuantity } from './node-answers.ts';
import { type NodeAnswer, type NodeCall, type NodeClient, resultOf } from './node-client.ts';
import { nodeMalformed } from './node-fault.ts';
import { RFQ_ABI } from './rfq-abi.ts';

/** Where on chain something happened to an order of the maker. */
interface OrderLogPlace {
  orderHash: Hex;
  block: number;
  blockHash: Hex;
  transactionHash: Hex;
  logIndex: number;
}

/** A fill or a cancel of one of the maker's orders. Amounts are this fill's increments, raw units. */
export type OrderLog = OrderLogPlace &
  (
    | {
        kind: 'fill';
        taker: Address;
        makerAsset: Address;
        takerAsset: Address;
        makerAmount: bigint;
        takerAmount: bigint;
      }
    | { kind: 'cancel' }
  );

const [FILLED] = encodeEventTopics({ abi: RFQ_ABI, eventName: 'OrderFilled' });
const [CANCELLED] = encodeEventTopics({ abi: RFQ_ABI, eventName: 'OrderCancelled' });

/** Both events of the maker in one question: each has the maker as its second indexed field. */
export function orderLogsCall(rfqContract: Address, maker: Address, from: number, to: number): NodeCall {
  return {
    method: 'eth_getLogs',
    params: [
      {
        address: rfqContract,
        topics: [[FILLED, CANCELLED], null, addressTopic(maker)],
        fromBlock: toQuantity(from),
        toBlock: toQuantity(to),
      },
    ],
  };
}

/** Amounts of a fill, raw units. */
type FilledAmounts = Pick<
  Extract<OrderLog, { kind: 'fill' }>,
  'makerAsset' | 'takerAsset' | 'makerAmount' | 'takerAmount'
>;

/** What fills of the maker's orders moved, by the logs of a transaction. */
export function fillsAmong(
  logs: readonly { address: string; topics: readonly string[]; data: string }[],
  rfqContract: Address,
  maker: Address,
): FilledAmounts[] {
  return logs.flatMap(({ address, topics: [kind, ...indexed], data }) => {
    if (address.toLowerCase() !== rfqContract || kind !== FILLED || indexed[1] !== addressTopic(maker)) return [];
    const topics = [kind, ...indexed] as [Hex, ...Hex[]];
    const { args } = decodeEventLog({ abi: RFQ_ABI, eventName: 'OrderFilled', topics, data: data as Hex });
    const { makerAsset, takerAsset, makerAmount, takerAmount } = args;
    return [
      {
        ...{ makerAsset: addressSchema.parse(makerAsset), takerAsset: addressSchema.parse(takerAsset) },
        ...{ makerAmount, takerAmount },
      },
    ];
  });
}

function toOrderLog(log: NodeLog): OrderLog {
  const [signature, ...indexed] = log.topics;
  const decoded = decodeEventLog({
    abi: RFQ_ABI,
    topics: signature === undefined ? [] : [signature, ...indexed],
    data: log.data,
  });
  const place = {
    orderHash: decoded.args.orderHash,
    block: log.blockNumber,
    blockHash: log.blockHash,
    transactionHash: log.transactionHash,
    logIndex: log.logIndex,
  };
  if (decoded.eventName === 'OrderCancelled') return { kind: 'cancel', ...place };
  const { taker, makerAsset, takerAsset, makerAmount, takerAmount } = decoded.args;
  return {
    kind: 'fill',
    ...place,
    taker: addressSchema.parse(taker),
    makerAsset: addressSchema.parse(makerAsset),
    takerAsset: addressSchema.parse(takerAsset),
    makerAmount,
    takerAmount,
  };
}

/**
 * The maker's fills and cancels in the answer to `orderLogsCall`, in the order of the chain. Anybody can emit a cancel
 * of our hash under his own address: a log counts only when contract AND maker are ours, whatever the node filtered by.
 */
export function readOrderLogs(
  node: NodeClient,
  answer: NodeAnswer | undefined,
  rfqContract: Address,
  maker: Address,
): OrderLog[] {
  const logs = resultOf(node, 'eth_getLogs', answer, z.array(logSchema));
  const ours = logs.filter(
    (log) =>
      log.removed !== true &&
      log.address === rfqContract &&
      (log.topics[0] === FILLED || log.topics[0] === CANCELLED) &&
      log.topics[2] === addressTopic(maker),
  );
  try {
    return ours.map(toOrderLog).sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
  } catch (error) {
    throw nodeMalformed(node.rpcUrl, 'eth_getLogs', error);
  }
}
