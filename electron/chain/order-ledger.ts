import type { JournalEvent, NewEvent } from '../journal/events.ts';
import type { StandingOrderEvent } from '../journal/fills/read.ts';
import type { Journal } from '../journal/journal.ts';
import { isDeskError } from '../protocol/desk-error.ts';
import type { OrderLog } from './order-logs.ts';

/** A fill, a cancel, or one of them taken back, as the journal holds it. */
export type OrderEvent = Extract<JournalEvent, { kind: 'fill' | 'cancel' | 'reverted' }>;

type Place = Pick<StandingOrderEvent, 'blockHash' | 'transactionHash' | 'logIndex'>;
const keyOf = ({ blockHash, transactionHash, logIndex }: Place) => `${blockHash}/${transactionHash}/${logIndex}`;

/** Rows handed to the journal at once: a firm quote that comes then waits behind these, and never behind a whole flood. */
const ROWS_AT_ONCE = 50;

interface LedgerParts {
  journal: Journal;
  chainId: number;
  now: () => number;
}

/** Writes what the chain says of the maker's orders, each thing once. */
export class OrderLedger {
  readonly #parts: LedgerParts;
  /** Fills and cancels of recent blocks that stand in the journal. */
  readonly #standing = new Map<string, StandingOrderEvent>();
  /** Rows the journal reported as written, until the append that asked for them is answered. */
  readonly #reported = new Map<number, OrderEvent>();
  /** Durable, and not yet handed on. */
  #untold: OrderEvent[] = [];
  #afterSeq = 0;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
    parts.journal.onAppended((events) => {
      for (const event of events) {
        if (event.kind !== 'fill' && event.kind !== 'cancel' && event.kind !== 'reverted') continue;
        if (event.body.chainId === parts.chainId) this.#reported.set(event.seq, event);
      }
    });
  }

  /** Begins with nothing: rows up to `afterSeq` are of a chain that is gone, or that was not watched. */
  begin(afterSeq: number): void {
    this.#afterSeq = afterSeq;
    this.#standing.clear();
  }

  /** Takes up what the journal holds from `fromBlock` on, in rows after `afterSeq`. */
  async load(fromBlock: number, afterSeq: number): Promise<void> {
    this.begin(afterSeq);
    for (const event of await this.#read(fromBlock)) this.#standing.set(keyOf(event), event);
  }

  /** What became durable since this was asked last, in the order of the rows. */
  takeUntold(): OrderEvent[] {
    const events = this.#untold;
    this.#untold = [];
    return events;
  }

  /** What stands above a block, newest first. */
  above(block: number): StandingOrderEvent[] {
    return [...this.#standing.values()]
      .filter((event) => event.block > block)
      .sort((a, b) => b.block - a.block || b.logIndex - a.logIndex);
  }

  /** What the journal has of this log; undefined when nothing. */
  get(log: Place): StandingOrderEvent | undefined {
    return this.#standing.get(keyOf(log));
  }

  /** What stands in these blocks. */
  between(from: number, to: number): StandingOrderEvent[] {
    return [...this.#standing.values()].filter(({ block }) => block >= from && block <= to);
  }

  /** Lets go of what is too old to be read again or taken back. */
  forgetBelow(block: number): void {
    for (const [key, event] of this.#standing) if (event.block < block) this.#standing.delete(key);
  }

  /** Writes the logs that are not in the journal yet, in their order. `blockTime` gives Unix seconds. */
  record(logs: readonly OrderLog[], blockTime: (block: number) => number): Promise<void> {
    const { journal, chainId, now } = this.#parts;
    const missing = logs.filter((log) => this.get(log) === undefined);
    return this.#eachInOrder(missing, async (log) => {
      try {
        const seq = await journal.append(toEvent(log, chainId, blockTime(log.block), now()));
        this.#standing.set(keyOf(log), standingOf(log, seq));
        return seq;
      } catch (error) {
        // Refused because it is there already is as good as written.
        if (!isDeskError(error, 'journal_row_refused')) throw error;
        const held = (await this.#read(log.block)).find((event) => keyOf(event) === keyOf(log));
        if (held === undefined) throw error;
        this.#standing.set(keyOf(log), held);
        return null;
      }
    });
  }

  /** Writes that these are taken back: by a reorganisation, or because no node has them in a block that is of the chain still. */
  revert(events: readonly StandingOrderEvent[], cause?: 'never_there'): Promise<void> {
    const { journal, chainId, now } = this.#parts;
    return this.#eachInOrder(events, async (event) => {
      const body = { chainId, eventSeq: event.seq, orderHash: event.orderHash, cause };
      const seq = await journal.append({ time: now(), actor: 'chain', kind: 'reverted', body });
      this.#standing.delete(keyOf(event));
      return seq;
    });
  }

  async #read(fromBlock: number): Promise<StandingOrderEvent[]> {
    const events = await this.#parts.journal.read.orderEvents(this.#parts.chainId, fromBlock);
    return events.filter(({ seq }) => seq > this.#afterSeq);
  }

  /**
   * Hands them to the journal portion by portion, which keeps their order and shares its commits. What was written is
   * remembered also when a later one fails; then throws the first failure.
   */
  async #eachInOrder<T>(items: readonly T[], write: (item: T) => Promise<number | null>): Promise<void> {
    for (let from = 0; from < items.length; from += ROWS_AT_ONCE) {
      const outcomes = await Promise.allSettled(items.slice(from, from + ROWS_AT_ONCE).map(write));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected' || outcome.value === null) continue;
        const event = this.#reported.get(outcome.value);
        if (event !== undefined) this.#untold.push(event);
      }
      this.#reported.clear();
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    }
  }
}

function standingOf(log: OrderLog, seq: number): StandingOrderEvent {
  const { kind, orderHash, block, blockHash, transactionHash, logIndex } = log;
  const isFill = log.kind === 'fill';
  const makerAmount = isFill ? `${log.makerAmount}` : null;
  const takerAmount = isFill ? `${log.takerAmount}` : null;
  return { seq, kind, orderHash, block, blockHash, transactionHash, logIndex, makerAmount, takerAmount };
}

function toEvent(log: OrderLog, chainId: number, blockTimeSeconds: number, time: number): NewEvent {
  const { orderHash, block, blockHash, transactionHash, logIndex } = log;
  const blockTime = blockTimeSeconds * 1_000;
  const place = { chainId, orderHash, block, blockHash, blockTime, transactionHash, logIndex };
  if (log.kind === 'cancel') return { time, actor: 'chain', kind: 'cancel', body: place };
  const { taker, makerAsset, takerAsset, makerNft, takerNft } = log;
  const amounts = { makerAmount: `${log.makerAmount}`, takerAmount: `${log.takerAmount}` };
  const moved = { taker, makerAsset, takerAsset, ...amounts, makerNft, takerNft };
  return { time, actor: 'chain', kind: 'fill', body: { ...place, ...moved } };
}
