import type { ChainConfig } from '../contract/desk-file.ts';
import type { StandingOrderEvent } from '../journal/fills/read.ts';
import type { Journal } from '../journal/journal.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { blockTimes, readLogs, readStep, type StepRange } from './branch-reader.ts';
import { nodeBehind, readHeaders } from './chain-head.ts';
import { type ChainMemory, loadMemory, saveMemory } from './chain-memory.ts';
import { type ChunkSize, rangeRefused } from './chunk-size.ts';
import { forgetAbove, type KnownBlock, landmarksBelow, REMEMBERED_BLOCKS, remember } from './forks.ts';
import type { Holdings, TokensApart } from './holdings.ts';
import { LogDoubts } from './log-doubts.ts';
import type { BlockHeader } from './node-answers.ts';
import { blockMoved } from './node-fault.ts';
import type { OrderLedger } from './order-ledger.ts';
import type { OrderLog } from './order-logs.ts';
import { ToldLogs } from './told-logs.ts';
import type { AgreedNode } from './two-nodes.ts';

/**
 * Logs of so many blocks are read again each time, since a node may be late with those of its newest: eight seconds of the fastest
 * chains. A node that gives no more blocks at once than these, or is too slow for them, is asked for as many as it gives, and at
 * least for the fewest; what is left out so is read again once these many blocks lie above it.
 */
const OVERLAP_BLOCKS = 32;
const FEWEST_OVERLAP = 4;
/** After so many steps that went well it is asked for twice as many again: what was refused may have been of that moment. */
const STEPS_TO_MORE = 100;

/** What a node may say of one block, while it tells all others. */
const OF_ONE_BLOCK = new Set(['node_refused', 'node_malformed', 'node_unreachable', 'block_moved']);
/** A block whose logs cannot be got is asked for again once in so many blocks at least. */
const MOST_BETWEEN = 64;

/** What is remembered is saved once in so many blocks; after a crash those few are read again. */
const SAVE_EVERY_BLOCKS = 8;

interface FollowerParts {
  node: AgreedNode;
  config: Pick<ChainConfig, 'chainId' | 'rfqContract' | 'maker'>;
  journal: Journal;
  ledger: OrderLedger;
  chunk: ChunkSize;
  tokens: TokensApart;
  /** Fills and cancels that one node told, that were never there, and that are taken back. */
  onNeverThere: (events: readonly StandingOrderEvent[]) => void;
  /** The logs of a block, in which a fill is that they lack, cannot be got. */
  onUngot: (block: number, error: DeskError) => void;
}

/** Takes a chain into the journal, block by block, along the branch the node is on. */
export class BranchFollower {
  readonly #parts: FollowerParts;
  #memory: ChainMemory | null = null;
  #savedAt = -1;
  #overlap = OVERLAP_BLOCKS;
  #stepsSince = 0;
  /** Logs up to this block were read when the chain was that many blocks beyond it. */
  #settled = 0;
  /** Blocks of transactions whose fills the logs of the node lack. */
  readonly #lacking = new Map<Hex, number>();
  /** Of those blocks the ones whose logs could not be got: how often, and at which newest block they are asked for again. */
  readonly #ungot = new Map<number, { failures: number; nextAt: number }>();
  readonly #doubts: LogDoubts;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#doubts = new LogDoubts(parts);
  }

  /** Takes up where the last run ended. */
  async resume(): Promise<void> {
    const { journal, ledger, config } = this.#parts;
    this.#memory = await loadMemory(journal, config.chainId);
    if (this.#memory === null) return;
    this.#savedAt = this.newest?.number ?? -1;
    // How far the last run had come with it is not kept: never further behind than this.
    this.#settled = Math.max(this.#memory.since, this.#savedAt - 2 * OVERLAP_BLOCKS);
    await ledger.load(Math.max(0, this.#savedAt - REMEMBERED_BLOCKS), this.#memory.afterSeq);
  }

  get blocks(): readonly KnownBlock[] {
    return this.#memory?.blocks ?? [];
  }

  get newest(): KnownBlock | undefined {
    return this.blocks.at(-1);
  }

  /** The time of the newest block, Unix seconds, where it is known. */
  get newestTime(): number | undefined {
    return this.#memory?.newestTime;
  }

  /** Begins at `latest`. The blocks before it are only remembered, so that a reorganisation can be told from the start. */
  async beginAt(latest: BlockHeader): Promise<void> {
    const { node, journal, ledger } = this.#parts;
    const lowest = Math.max(0, latest.number - REMEMBERED_BLOCKS);
    const newer = Array.from({ length: latest.number - lowest }, (_, index) => lowest + index);
    const newest = await readHeaders(node, latest, newer);
    // A node that gives no old headers leaves the desk without landmarks, not without the chain.
    const landmarks = landmarksBelow(latest.number).sort((a, b) => a - b);
    const older = await readHeaders(node, latest, landmarks).catch(() => new Map<number, BlockHeader>());
    const earlier = [...older.values(), ...newest.values()];
    const afterSeq = journal.head().seq;
    ledger.begin(afterSeq);
    const blocks = remember([], [...earlier, latest]);
    this.#memory = { afterSeq, since: latest.number, blocks, newestTime: latest.timestamp };
    this.#settled = latest.number;
    await this.save();
  }

  /**
   * The branch was left after `ancestor`: takes back what stood on the dropped blocks. `overtaken`: only the newest of them, above
   * `latest`, were none of the chain.
   */
  async goBackTo(ancestor: KnownBlock, latest: BlockHeader, overtaken: boolean): Promise<void> {
    const memory = this.#known();
    // From well below the ancestor on: logs of some blocks before it are read again, and must be known as written.
    await this.#parts.ledger.load(Math.max(0, ancestor.number - REMEMBERED_BLOCKS), memory.afterSeq);
    await this.#takeBack(ancestor.number, latest, true);
    const isSinceKept = overtaken && memory.since <= latest.number;
    const since = isSinceKept ? memory.since : Math.min(memory.since, ancestor.number);
    this.#memory = { ...memory, since, blocks: forgetAbove(memory.blocks, ancestor.number), newestTime: undefined };
    this.#settled = Math.max(since, Math.min(this.#settled, ancestor.number));
    for (const [hash, block] of this.#lacking) if (block > ancestor.number) this.#lacking.delete(hash);
    await this.save();
  }

  /**
   * Reads on until `latest`: every event on the way is durable before this gives what the maker holds at that block. Throws
   * `node_behind` where the journal holds an event of a later block: what the maker held before it would count twice.
   */
  async follow(latest: BlockHeader, tokens: readonly Address[]): Promise<Holdings> {
    const { node, ledger, chunk } = this.#parts;
    // Rows a crash left above what was remembered may be of a branch that has gone since, or of blocks a node has not yet.
    await this.#takeBack(this.#base().number, latest, false);
    const [last] = ledger.above(latest.number);
    if (last !== undefined) throw nodeBehind(node.rpcUrl, latest.number, last.block);
    for (;;) {
      const base = this.#base();
      const to = Math.min(latest.number, base.number + chunk.blocks);
      const ahead = to - base.number;
      const overlapped = Math.max(this.#known().since, base.number - this.#overlap);
      try {
        await this.#readAgain(latest);
        const logsFrom = ahead === 0 ? to + 1 : overlapped + 1;
        const told = new ToldLogs(node, ledger, logsFrom, to);
        const step = await this.#read(latest, { base, logsFrom, to, isKnown: told.isKnown }, tokens);
        const fresh = await this.#newAmong(step.logs, told, { from: logsFrom, to, latest });
        await this.#record(latest, step.headers, fresh);
        this.#settle(logsFrom, to, latest);
        chunk.took(ahead);
        this.#overlapTaken();
        await this.#advance(step.headers);
        if (step.holdings !== null) return step.holdings;
      } catch (error) {
        const smaller = this.#overlapRefused(error) ?? chunk.refused(ahead, error);
        if (ahead === 0 || !smaller) throw error;
      }
    }
  }

  /** The logs of a block lack the fills of this transaction, by its own receipt: they are read again until they have them. */
  logsLack(transactionHash: Hex, block: number): void {
    if (this.#parts.ledger.above(block - 1).some((event) => event.transactionHash === transactionHash)) return;
    this.#lacking.set(transactionHash, block);
  }

  async #record(latest: BlockHeader, headers: readonly BlockHeader[], logs: readonly OrderLog[]): Promise<void> {
    const { node, ledger } = this.#parts;
    await ledger.record(logs, await blockTimes(node, latest, headers, logs));
    for (const { transactionHash } of logs) this.#lacking.delete(transactionHash);
  }

  /** Reads the logs again that the overlap did not reach, as many blocks at once as it has: now that no node is late with them. */
  async #readAgain(latest: BlockHeader): Promise<void> {
    for (const block of new Set(this.#lacking.values())) await this.#readLacking(latest, block);
    while (latest.number - OVERLAP_BLOCKS - this.#settled >= FEWEST_OVERLAP) {
      const from = this.#settled + 1;
      const to = Math.min(this.#settled + this.#overlap, this.#base().number - this.#overlap);
      if (to < from) return;
      await this.#readLogs(latest, from, to);
      this.#settle(from, to, latest);
    }
  }

  /** A block whose logs cannot be got keeps no other from being read: it is asked for again, ever more seldom. */
  async #readLacking(latest: BlockHeader, block: number): Promise<void> {
    const { failures = 0, nextAt = 0 } = this.#ungot.get(block) ?? {};
    if (latest.number < nextAt) return;
    try {
      await this.#readLogs(latest, block, block);
      this.#ungot.delete(block);
    } catch (error) {
      if (!(error instanceof DeskError && OF_ONE_BLOCK.has(error.code))) throw error;
      this.#ungot.set(block, { failures: failures + 1, nextAt: latest.number + Math.min(MOST_BETWEEN, 2 ** failures) });
      if (failures === 0) this.#parts.onUngot(block, error);
    }
  }

  async #readLogs(latest: BlockHeader, logsFrom: number, to: number): Promise<void> {
    const { node, config, ledger } = this.#parts;
    const told = new ToldLogs(node, ledger, logsFrom, to);
    const logs = await readLogs(node, config, latest, { logsFrom, to, isKnown: told.isKnown });
    await this.#record(latest, [], await this.#newAmong(logs, told, { from: logsFrom, to, latest }));
  }

  /**
   * Which of the logs that were read of some blocks are new. Where some that the journal has were not among them a fill might count
   * twice, or not at all: throws `block_moved`, unless they are proven never to have been there, and are taken back.
   */
  async #newAmong(
    logs: readonly OrderLog[],
    told: ToldLogs,
    range: { from: number; to: number; latest: BlockHeader },
  ): Promise<OrderLog[]> {
    const { ledger, onNeverThere } = this.#parts;
    const { fresh, lacking, renumbered } = told.compare(logs);
    const proven = await this.#doubts.proven(range, lacking);
    if (proven.length > 0) {
      await ledger.revert(proven, 'never_there');
      onNeverThere(proven);
    }
    const [left] = lacking.filter((event) => !proven.includes(event));
    if (left !== undefined) throw this.#doubts.fault(left);
    // They are told again at once, each where it is now.
    await ledger.revert(renumbered);
    return fresh;
  }

  /** Logs of these blocks were read. */
  #settle(from: number, to: number, latest: BlockHeader): void {
    if (from > this.#settled + 1) return;
    this.#settled = Math.max(this.#settled, Math.min(to, latest.number - OVERLAP_BLOCKS));
  }

  #overlapTaken(): void {
    this.#stepsSince += 1;
    if (this.#stepsSince % STEPS_TO_MORE === 0) this.#overlap = Math.min(OVERLAP_BLOCKS, this.#overlap * 2);
  }

  /** Whether it is worth asking again with half of it, where the range may be too large; null where it is as small as it gets. */
  #overlapRefused(error: unknown): boolean | null {
    const range = rangeRefused(error);
    if (range === null || this.#overlap === FEWEST_OVERLAP) return null;
    this.#overlap = Math.max(FEWEST_OVERLAP, Math.floor(this.#overlap / 2));
    this.#stepsSince = 0;
    return range.isWorthAgain;
  }

  /** A step with what the maker holds at its end: without the tokens that keep the node from answering, where some do. */
  async #read(latest: BlockHeader, range: StepRange, listed: readonly Address[]) {
    const { node, config, tokens } = this.#parts;
    const atEnd = range.to === latest.number;
    const together = atEnd ? tokens.together(listed) : [];
    const { holdings, ...step } = await readStep(node, config, latest, range, together).catch((error: unknown) => {
      if (together.length === 0 || !tokens.mayBeOfToken(error)) throw error;
      return readStep(node, config, latest, range, []);
    });
    return { ...step, holdings: holdings === null ? null : await tokens.complete(latest, listed, holdings) };
  }

  /** Resolves once what is remembered is durable. */
  async save(): Promise<void> {
    if (this.#memory === null || this.newest === undefined) return;
    await saveMemory(this.#parts.journal, this.#parts.config.chainId, this.#memory);
    this.#savedAt = this.newest.number;
  }

  #known(): ChainMemory {
    if (this.#memory === null) throw new Error('the chain is followed before its beginning is known');
    return this.#memory;
  }

  #base(): KnownBlock {
    const { newest } = this;
    if (newest === undefined) throw new Error('the chain is followed before its beginning is known');
    return newest;
  }

  async #advance(headers: readonly BlockHeader[]): Promise<void> {
    const memory = this.#known();
    const newestTime = headers.at(-1)?.timestamp ?? memory.newestTime;
    this.#memory = { ...memory, blocks: remember(memory.blocks, headers), newestTime };
    const { number } = this.#base();
    this.#parts.ledger.forgetBelow(number - REMEMBERED_BLOCKS);
    if (number - this.#savedAt >= SAVE_EVERY_BLOCKS) await this.save();
  }

  /** Takes back what stands above `base` in blocks that are not on the branch of `latest`. */
  async #takeBack(base: number, latest: BlockHeader, left: boolean): Promise<void> {
    const { node, ledger } = this.#parts;
    const doubtful = ledger.above(base);
    const there = new Set(doubtful.map(({ block }) => block).filter((block) => block <= latest.number));
    const headers = await readHeaders(node, latest, [...there]);
    const lost = doubtful.filter(({ block, blockHash }) => {
      if (block > latest.number) return left;
      const header = headers.get(block);
      if (header === undefined) throw blockMoved(node.rpcUrl, block);
      return header.hash !== blockHash;
    });
    await ledger.revert(lost);
  }
}
