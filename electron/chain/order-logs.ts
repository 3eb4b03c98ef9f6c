import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { decodeEventLog, encodeEventTopics } from 'viem';
import { z } from 'zod';
import type { Nft } from '../contract/quote-log.ts';
import type { StandingOrderEvent } from '../journal/fills/read.ts';
import { type Address, addressSchema, type Hex } from '../protocol/address.ts';
import { unpackAsset } from '../protocol/packed-asset.ts';
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

/** What a fill moved: this fill's increments, raw units. Where a side is an NFT, its asset is that NFT's contract. */
interface Filled {
  taker: Address;
  makerAsset: Address;
  takerAsset: Address;
  makerAmount: bigint;
  takerAmount: bigint;
  makerNft?: Nft;
  takerNft?: Nft;
}

/** A fill or a cancel of one of the maker's orders. */
export type OrderLog = OrderLogPlace & (({ kind: 'fill' } & Filled) | { kind: 'cancel' });

const [FILLED] = encodeEventTopics({ abi: RFQ_ABI, eventName: 'OrderFilled' });
const [FILLED_NFT] = encodeEventTopics({ abi: RFQ_ABI, eventName: 'OrderFilledNFT' });
const [CANCELLED] = encodeEventTopics({ abi: RFQ_ABI, eventName: 'OrderCancelled' });

/** All three events of the maker in one question: each has the maker as its second indexed field. */
export function orderLogsCall(rfqContract: Address, maker: Address, from: number, to: number): NodeCall {
  return {
    method: 'eth_getLogs',
    params: [
      {
        address: rfqContract,
        topics: [[FILLED, FILLED_NFT, CANCELLED], null, addressTopic(maker)],
        fromBlock: toQuantity(from),
        toBlock: toQuantity(to),
      },
    ],
  };
}

/** What fills of the maker's orders moved, by the logs of a transaction. */
export function fillsAmong(
  logs: readonly { address: string; topics: readonly string[]; data: string }[],
  rfqContract: Address,
  maker: Address,
): Filled[] {
  return logs.flatMap(({ address, topics: [kind, ...indexed], data }) => {
    if (address.toLowerCase() !== rfqContract || indexed[1] !== addressTopic(maker)) return [];
    if (kind !== FILLED && kind !== FILLED_NFT) return [];
    const topics = [kind, ...indexed] as [Hex, ...Hex[]];
    const decoded = decodeEventLog({ abi: RFQ_ABI, topics, data: data as Hex });
    return decoded.eventName === 'OrderCancelled' ? [] : [filledOf(decoded)];
  });
}

type Decoded = ReturnType<typeof decodeEventLog<typeof RFQ_ABI>>;

function filledOf({ eventName, args }: Exclude<Decoded, { eventName: 'OrderCancelled' }>): Filled {
  const { makerAmount, takerAmount } = args;
  const taker = addressSchema.parse(args.taker);
  if (eventName === 'OrderFilled') {
    const [makerAsset, takerAsset] = [addressSchema.parse(args.makerAsset), addressSchema.parse(args.takerAsset)];
    return { taker, makerAsset, takerAsset, makerAmount, takerAmount };
  }
  const [gave, got] = [unpackAsset(args.makerAsset), unpackAsset(args.takerAsset)];
  return {
    taker,
    makerAsset: gave.token,
    takerAsset: got.token,
    makerAmount,
    takerAmount,
    ...(gave.kind === 'erc20' ? {} : { makerNft: { kind: gave.kind, id: `${args.makerAssetId}` } }),
    ...(got.kind === 'erc20' ? {} : { takerNft: { kind: got.kind, id: `${args.takerAssetId}` } }),
  };
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
  return { kind: 'fill', ...place, ...filledOf(decoded) };
}

/** Logs of the maker, of the three events, as they can be read. Throws `node_malformed`. */
export function decodeOrderLogs(node: NodeClient, logs: readonly NodeLog[]): OrderLog[] {
  try {
    return logs.map(toOrderLog);
  } catch (error) {
    throw nodeMalformed(node.rpcUrl, 'eth_getLogs', error);
  }
}

/** Where the amounts of the maker and the taker stand in the data of a fill, by its kind. */
const AMOUNT_WORDS = new Map([
  [FILLED, [1, 3]],
  [FILLED_NFT, [2, 5]],
]);

/** Whether a log of the three events says of which order how much it moves as the journal has it; without reading it whole, for that takes long. */
export function saysTheSame({ topics: [signature, orderHash], data }: NodeLog, event: StandingOrderEvent): boolean {
  if (orderHash !== event.orderHash) return false;
  if (event.kind === 'cancel') return signature === CANCELLED;
  const words = AMOUNT_WORDS.get(signature ?? '0x');
  const amounts = [event.makerAmount, event.takerAmount];
  const said = words?.map((word) => data.slice(2 + 64 * word, 66 + 64 * word));
  return isDeepStrictEqual(
    said,
    amounts.map((amount) =>
      BigInt(amount ?? 0)
        .toString(16)
        .padStart(64, '0'),
    ),
  );
}

/** Logs read in one turn of the event loop: reading one takes as long as a good part of a firm quote. */
const LOGS_A_TURN = 32;

/**
 * The maker's fills and cancels in the answer to `orderLogsCall` that are not known yet, in the order of the chain. Anybody
 * can emit a cancel of our hash under their own address: a log counts only when contract AND maker are ours, whatever the
 * node filtered by. A flood of them is read over many turns of the event loop.
 */
export async function readOrderLogs(
  node: NodeClient,
  answer: NodeAnswer | undefined,
  rfqContract: Address,
  maker: Address,
  isKnown: (log: NodeLog) => boolean,
): Promise<OrderLog[]> {
  const raw = resultOf(node, 'eth_getLogs', answer, z.array(z.unknown()));
  const read: OrderLog[] = [];
  for (let from = 0; from < raw.length; from += LOGS_A_TURN) {
    if (from > 0) await nextTurn();
    const part: NodeAnswer = { ok: true, result: raw.slice(from, from + LOGS_A_TURN) };
    const ours = resultOf(node, 'eth_getLogs', part, z.array(logSchema)).filter(
      (log) =>
        log.removed !== true &&
        log.address === rfqContract &&
        (log.topics[0] === FILLED || log.topics[0] === FILLED_NFT || log.topics[0] === CANCELLED) &&
        log.topics[2] === addressTopic(maker) &&
        !isKnown(log),
    );
    read.push(...decodeOrderLogs(node, ours));
  }
  return read.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
}
