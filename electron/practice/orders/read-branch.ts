import { type PublicClient, parseAbi } from 'viem';
import { type Address, addressSchema } from '../../protocol/address.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { ChainStep } from './order-ledger.ts';
import type { KnownBlock, OrderEvent } from './orders-file.ts';

const ORDER_EVENTS = parseAbi([
  'event OrderFilled(bytes32 indexed orderHash, address indexed maker, address makerAsset, uint256 makerAmount, address indexed taker, address takerAsset, uint256 takerAmount)',
  'event OrderCancelled(bytes32 indexed orderHash, address indexed maker)',
]);

/** Logs of this many blocks are read at once. */
const BLOCKS_AT_ONCE = 250;

/** Headers of this many blocks below the newest are worth reading: a little more than a reorganisation may take back. */
const HEADERS_BELOW = 100;

/** Headers are asked for this many at once. */
const HEADERS_AT_ONCE = 32;

export interface Header extends KnownBlock {
  parentHash: string;
  seconds: number;
}

export async function readHeader(client: PublicClient, number?: number): Promise<Header> {
  const block = await client.getBlock(number === undefined ? {} : { blockNumber: BigInt(number) });
  return {
    number: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    seconds: Number(block.timestamp),
  };
}

/**
 * The newest of the remembered blocks (ascending) that is on the branch of `head`, or null when none is: then the branch was left
 * longer ago than is remembered, or the chain was begun anew. A node that went back below what we know is believed.
 */
export async function findAncestor(
  client: PublicClient,
  known: readonly KnownBlock[],
  head: Header,
): Promise<KnownBlock | null> {
  const there = known.filter(({ number }) => number <= head.number).reverse();
  const [newest] = there;
  if (newest?.hash === head.hash || newest?.hash === head.parentHash) return newest;
  for (let from = 0, size = 1; from < there.length; from += size, size = HEADERS_AT_ONCE) {
    const some = there.slice(from, from + size);
    const headers = await Promise.all(some.map(({ number }) => readHeader(client, number)));
    const common = some.find(({ hash }, at) => hash === headers[at]?.hash);
    if (common !== undefined) return common;
  }
  return null;
}

/**
 * Reads on from `ancestor` (null: from the first block) along the branch of `head`, as far as one step goes.
 * @throws DeskError `branch_moved` when the node's answers are not of one branch; the next try will find another head
 */
export async function readStep(
  { client, rfqContract }: { client: PublicClient; rfqContract: Address },
  ancestor: KnownBlock | null,
  head: Header,
): Promise<ChainStep> {
  const base = ancestor?.number ?? -1;
  const to = Math.min(head.number, base + BLOCKS_AT_ONCE);
  const [logs, headers] = await Promise.all([
    to > base ? readEvents(client, rfqContract, base + 1, to) : [],
    readHeaders(client, head, base + 1, to),
  ]);
  let below = ancestor;
  for (const header of headers) {
    if (header.number - 1 === below?.number && header.parentHash !== below.hash) throw moved();
    below = header;
  }
  const hashes = new Map(headers.map(({ number, hash }) => [number, hash]));
  if (logs.some(({ block, blockHash }) => (hashes.get(block) ?? blockHash) !== blockHash)) throw moved();
  const last = headers.at(-1) ?? head;
  return {
    ancestor: base,
    blocks: headers.map(({ number, hash }) => ({ number, hash })),
    seconds: last.seconds,
    events: logs.map(({ blockHash, ...event }) => event),
  };
}

/** Those worth remembering, and always the last. */
async function readHeaders(client: PublicClient, head: Header, from: number, to: number): Promise<Header[]> {
  const numbers: number[] = [];
  for (let number = Math.max(from, Math.min(to, head.number - HEADERS_BELOW)); number <= to; number++)
    numbers.push(number);
  const headers: Header[] = [];
  for (let at = 0; at < numbers.length; at += HEADERS_AT_ONCE) {
    const some = numbers.slice(at, at + HEADERS_AT_ONCE);
    headers.push(
      ...(await Promise.all(some.map((number) => (number === head.number ? head : readHeader(client, number))))),
    );
  }
  return headers;
}

async function readEvents(client: PublicClient, address: Address, from: number, to: number) {
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to) };
  const logs = await client.getLogs({ address, events: ORDER_EVENTS, strict: true, ...range });
  return logs.map((log): OrderEvent & { blockHash: string } => ({
    block: Number(log.blockNumber),
    blockHash: log.blockHash,
    logIndex: log.logIndex,
    orderHash: log.args.orderHash,
    maker: addressSchema.parse(log.args.maker),
    kind: log.eventName === 'OrderFilled' ? 'fill' : 'cancel',
    makerAmount: log.eventName === 'OrderFilled' ? log.args.makerAmount : 0n,
    transactionHash: log.transactionHash,
  }));
}

function moved(): DeskError {
  return new DeskError('branch_moved', 'The chain changed its branch while it was read.');
}
