import { z } from 'zod';
import type { ChainConfig } from '../contract/desk-file.ts';
import type { StandingOrderEvent } from '../journal/fills/read.ts';
import type { KnownBlock } from './forks.ts';
import { hashSchema } from './node-answers.ts';
import { type NodeAnswer, type NodeClient, resultOf } from './node-client.ts';
import { blockMoved, logLacking } from './node-fault.ts';
import type { OrderLedger } from './order-ledger.ts';
import { orderLogsCall, readOrderLogs } from './order-logs.ts';
import { readPinned } from './pinned-read.ts';
import { contentOf, unmatched } from './told-logs.ts';
import type { AgreedNode } from './two-nodes.ts';

/** No node is late with a log of a block that lies this far below its newest. */
const SETTLED_BLOCKS = 32;
/** The other nodes are asked at one look of so many that lack it, */
const LOOKS_A_QUESTION = 5;
/** and have to say so many times, in a row, that they do not have it either. */
const AGREED_TIMES = 3;
/** Of more than these at once the rest waits for the next look. */
const MOST_ASKED = 20;

const receiptSchema = z.object({ blockHash: hashSchema, logs: z.array(z.unknown()) }).nullable();

interface DoubtParts {
  node: AgreedNode;
  config: Pick<ChainConfig, 'rfqContract' | 'maker'>;
  ledger: OrderLedger;
}

interface Doubt {
  block: number;
  looks: number;
  agreed: number;
  /** Nodes beside the one that is followed that answered last. */
  witnesses: number;
}

/**
 * Fills and cancels that the journal has and that the node no longer tells of a block which is of its chain still: a node may have made
 * one up. Nobody's word alone takes one back. It is proven that it was never there where, look for look and long after the block, two
 * nodes of different hosts have it neither among the logs of that very block nor in the receipt of its transaction, and none has it.
 */
export class LogDoubts {
  readonly #parts: DoubtParts;
  /** By the row of the journal. */
  readonly #doubts = new Map<number, Doubt>();

  constructor(parts: DoubtParts) {
    this.#parts = parts;
  }

  /** The logs of these blocks were read, and these events of the journal were not among them: gives those that were never there. */
  async proven(
    { from, to, latest }: { from: number; to: number; latest: KnownBlock },
    lacking: readonly StandingOrderEvent[],
  ): Promise<StandingOrderEvent[]> {
    const rows = new Set(lacking.map(({ seq }) => seq));
    for (const [seq, { block }] of this.#doubts) {
      if (block >= from && block <= to && !rows.has(seq)) this.#doubts.delete(seq);
    }
    const proven: StandingOrderEvent[] = [];
    for (const event of lacking.slice(0, MOST_ASKED)) {
      const doubt = this.#doubts.get(event.seq) ?? { block: event.block, looks: 0, agreed: 0, witnesses: 0 };
      this.#doubts.set(event.seq, doubt);
      doubt.looks += 1;
      if (latest.number - event.block < SETTLED_BLOCKS || doubt.looks % LOOKS_A_QUESTION > 0) continue;
      const own = await this.#lacks(this.#parts.node.first, event);
      const others = await this.#parts.node.elsewhere((node) => this.#lacks(node, event));
      doubt.witnesses = others.length;
      doubt.agreed = own && others.length > 0 && others.every(Boolean) ? doubt.agreed + 1 : 0;
      if (doubt.agreed >= AGREED_TIMES) proven.push(event);
    }
    for (const { seq } of proven) this.#doubts.delete(seq);
    return proven;
  }

  /** What is said of an event that is not proven never to have been there. */
  fault(event: StandingOrderEvent): Error {
    const { looks = 0, witnesses = 0 } = this.#doubts.get(event.seq) ?? {};
    const { rpcUrl } = this.#parts.node.first;
    return looks < LOOKS_A_QUESTION ? blockMoved(rpcUrl, event.block) : logLacking(rpcUrl, event, witnesses);
  }

  /** Whether a node that has this very block does not have the event there. Throws where it does not have the block, or does not say. */
  async #lacks(node: NodeClient, event: StandingOrderEvent): Promise<boolean> {
    const { rfqContract, maker } = this.#parts.config;
    const { block, blockHash, transactionHash } = event;
    const method = 'eth_getTransactionReceipt';
    const at = { number: block, hash: hashSchema.parse(blockHash) };
    const asked = [orderLogsCall(rfqContract, maker, block, block), { method, params: [transactionHash] }];
    const [logs, receipt] = await readPinned(node, at, asked);
    const mined = resultOf(node, method, receipt, receiptSchema);
    const ofReceipt = mined?.blockHash === blockHash ? mined.logs : [];
    const isBeside = (other: Pick<StandingOrderEvent, 'blockHash' | 'transactionHash'>) =>
      other.blockHash === blockHash && other.transactionHash === transactionHash;
    const standing = this.#parts.ledger.between(block, block).filter(isBeside);
    for (const answer of [logs, { ok: true, result: ofReceipt } satisfies NodeAnswer]) {
      const told = await readOrderLogs(node, answer, rfqContract, maker, () => false);
      const left = unmatched(told.filter(isBeside), standing).events.map(contentOf);
      if (!left.includes(contentOf(event))) return false;
    }
    return true;
  }
}
