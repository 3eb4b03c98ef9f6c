import { isDeepStrictEqual } from 'node:util';
import { createEmitter, type Emitter } from '../contract/emitter.ts';
import type { ChainEvent } from '../journal/book/fold.ts';
import type { NewEvent } from '../journal/events.ts';
import type { Journal } from '../journal/journal.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import { type BookLog, stackOf } from './book-log.ts';
import { buildChainBook, type ChainBook } from './chain-book.ts';
import { type BookState, type ChainState, withEntry } from './chain-state.ts';
import { foldCounterparties, foldDesk, foldEvent, foldIntoChain, foldProtections } from './fold-event.ts';
import { loadBook } from './load-book.ts';
import { UrlSeals } from './url-seals.ts';

/** What the book needs of the journal. */
export type BookJournal = Pick<Journal, 'append' | 'put' | 'read'>;

/** A stop that is in force before its row is durable: how a chain looks under it. */
type Stop = { chainId: number; under: (chain: ChainState) => ChainState };

/** A part of a chain that a form shows as a whole. */
export type Changeable = 'settings' | `token ${string}` | `pair ${string}`;

/** The parts that are other than they were; of a pair its definition, and whether it is retired. */
function changesOf(before: ChainState | undefined, now: ChainState): Changeable[] {
  if (before === now) return [];
  const differ = (was: unknown, is: unknown) => was !== is && !isDeepStrictEqual(was, is);
  const changed: Changeable[] = differ(before?.settings, now.settings) ? ['settings'] : [];
  const idsOf = (which: 'tokens' | 'pairs') => new Set([...(before?.[which].keys() ?? []), ...now[which].keys()]);
  if (before?.tokens !== now.tokens) {
    for (const id of idsOf('tokens'))
      if (differ(before?.tokens.get(id), now.tokens.get(id))) changed.push(`token ${id}`);
  }
  if (before?.pairs !== now.pairs) {
    for (const id of idsOf('pairs')) {
      const [was, is] = [before?.pairs.get(id), now.pairs.get(id)];
      const isOther = differ(was?.definition, is?.definition) || was?.retiredUntil !== is?.retiredUntil;
      if (was !== is && isOther) changed.push(`pair ${id}`);
    }
  }
  return changed;
}

/**
 * What the journal says about the book, and on top of it the stops that are on their way there. Rows take effect in the
 * order in which they were handed to the journal, so that memory and tables cannot part; only ladders that are pushed do before
 * they are durable.
 */
export class BookMemory {
  readonly #journal: BookJournal;
  readonly seals: UrlSeals;
  #committed: BookState;
  readonly #stops = new Set<Stop>();
  /** Ladders that count as committed and are on their way to the disk, in the order in which they go there. */
  readonly #ahead = new Set<ChainEvent>();
  #chains: ReadonlyMap<number, ChainBook> = new Map();
  readonly #changes: Emitter<number | null>;
  readonly #settings: Emitter<number | null>;
  #lastRow: Promise<unknown> = Promise.resolve();
  readonly #starts = new SerialQueue();
  readonly #changedBy = new Map<string, string>();

  private constructor(journal: BookJournal, committed: BookState, seals: UrlSeals, log: BookLog) {
    this.#journal = journal;
    const failed = (error: unknown) => log('a listener of the book failed', { error: stackOf(error) });
    this.#changes = createEmitter(failed);
    this.#settings = createEmitter(failed);
    this.seals = seals;
    this.#committed = committed;
    this.#rebuild(null);
  }

  static async open(journal: BookJournal, log: BookLog, seals = new UrlSeals()): Promise<BookMemory> {
    return new BookMemory(journal, loadBook(await journal.read.storedBook(), seals), seals, log);
  }

  /** What is durable, with the ladders that are about to be. */
  get committed(): BookState {
    return this.#committed;
  }

  /** Who changed this of a chain last, since this desk started; null when nobody did. */
  changedBy(chainId: number, what: Changeable): string | null {
    return this.#changedBy.get(`${chainId} ${what}`) ?? null;
  }

  /** What is in force: what is durable, under the stops that are not yet. */
  get chains(): ReadonlyMap<number, ChainBook> {
    return this.#chains;
  }

  /** Tells about each change: of one chain, or (null) of everything. Returns what ends that. */
  onChange(listener: (chainId: number | null) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** Tells of what is set by itself: where a chain is and how it is quoted, or (null) who may ask. Returns what ends that. */
  onSettings(listener: (chainId: number | null) => void): () => void {
    return this.#settings.subscribe(listener);
  }

  /** Runs starts one after another, so that what one has checked still holds when its row is written. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    return this.#starts.run(act);
  }

  /** A start: in force once its row is durable. Resolves to the row's sequence number. */
  start(event: ChainEvent, ladderBefore?: number): Promise<number> {
    return this.#write(event, async () => {
      this.#committed = foldEvent(this.#committed, event, ladderBefore);
      this.#rebuild(event.body.chainId);
      if (event.kind === 'chain_set') this.#settings.emit(event.body.chainId);
    });
  }

  /** Starts on one chain that belong together: one look of the chain after all of them. Tells which were written. */
  async startAll(chainId: number, events: readonly ChainEvent[]): Promise<PromiseSettledResult<number>[]> {
    const written = Promise.allSettled(events.map((event) => this.#journal.append(event)));
    const folded = this.#lastRow.then(async () => {
      const rows = await written;
      for (const [index, event] of events.entries()) {
        if (rows[index]?.status === 'fulfilled') this.#committed = foldEvent(this.#committed, event);
      }
      this.#rebuild(chainId);
      return rows;
    });
    this.#lastRow = Promise.allSettled([folded]);
    return folded;
  }

  /**
   * Ladders of one chain, in force at once: a disk that stalls keeps no price back. The journal writes rows in the order in which
   * they are handed to it, so whatever is signed on one of these is durable only behind it. Tells which were written; where one
   * was refused, what is in force is again what the journal says.
   */
  pushAll(chainId: number, events: readonly ChainEvent[]): Promise<PromiseSettledResult<number>[]> {
    const written = Promise.allSettled(events.map((event) => this.#journal.append(event, 'for-others')));
    for (const event of events) {
      this.#ahead.add(event);
      this.#committed = foldEvent(this.#committed, event);
    }
    this.#rebuild(chainId);
    const settled = this.#lastRow.then(async () => {
      const rows = await written;
      for (const event of events) this.#ahead.delete(event);
      if (rows.some(({ status }) => status === 'rejected')) {
        await this.#readAgain();
        this.#rebuild(chainId);
      }
      return rows;
    });
    this.#lastRow = Promise.allSettled([settled]);
    return settled;
  }

  /** Resolves once everything that was handed to the journal so far is written, or refused. Never rejects. */
  async written(): Promise<void> {
    await this.#lastRow;
  }

  /**
   * A stop: in force at once, and for good even when its row cannot be written. `under` is how a chain looks until then, where
   * that is not what the event makes of it.
   */
  stop(event: ChainEvent, under: Stop['under'] = (chain) => foldIntoChain(chain, event)): Promise<number> {
    const { chainId } = event.body;
    const stop: Stop = { chainId, under };
    this.#stops.add(stop);
    this.#rebuild(chainId);
    return this.#write(event, async () => {
      this.#stops.delete(stop);
      this.#committed = foldEvent(this.#committed, event);
      this.#rebuild(chainId);
    });
  }

  /** An import: a start that replaces everything, read back the way the journal understood it. */
  replace(event: Extract<NewEvent, { kind: 'desk_configured' }>): Promise<number> {
    return this.#write(event, async () => {
      await this.#readAgain();
      this.#rebuild(null);
    });
  }

  /** Something of the whole desk; chains stay as they are. */
  setDesk(event: Extract<NewEvent, { kind: 'desk_set' }>): Promise<number> {
    return this.#write(event, async () => {
      this.#committed = foldDesk(this.#committed, event);
      this.#changes.emit(null);
    });
  }

  /** Who may ask, all of them anew; chains stay as they are. */
  setCounterparties(event: Extract<NewEvent, { kind: 'counterparties_set' }>): Promise<number> {
    return this.#write(event, async () => {
      this.#committed = foldCounterparties(this.#committed, event);
      this.#settings.emit(null);
    });
  }

  /** What may be signed in a time, all rules anew. */
  setProtections(event: Extract<NewEvent, { kind: 'protections_set' }>): Promise<number> {
    return this.#write(event, async () => {
      this.#committed = foldProtections(this.#committed, event);
      for (const chainId of this.#committed.chains.keys()) this.#changes.emit(chainId);
    });
  }

  /** The chain as it would be after the event, and after more of the same chain. */
  trial(event: ChainEvent, ...more: readonly ChainEvent[]): ChainBook | undefined {
    const after = more.reduce((state, next) => foldEvent(state, next), foldEvent(this.#committed, event));
    const chain = after.chains.get(event.body.chainId);
    return chain && buildChainBook(chain);
  }

  /** Tells that a chain looks different although no row was written: time has passed. */
  refresh(chainId: number): void {
    this.#rebuild(chainId);
  }

  #write(event: NewEvent, fold: () => Promise<void>): Promise<number> {
    const written = this.#journal.append(event);
    const folded = this.#lastRow.then(async () => {
      const seq = await written;
      const before = this.#committed;
      await fold();
      for (const [chainId, chain] of this.#committed.chains) {
        for (const what of changesOf(before.chains.get(chainId), chain)) {
          this.#changedBy.set(`${chainId} ${what}`, event.actor);
        }
      }
      return seq;
    });
    this.#lastRow = Promise.allSettled([written, folded]);
    return folded;
  }

  /** Takes the book as the journal has it, and the ladders that are on their way there. */
  async #readAgain(): Promise<void> {
    const stored = loadBook(await this.#journal.read.storedBook(), this.seals);
    this.#committed = [...this.#ahead].reduce((state, event) => foldEvent(state, event), stored);
  }

  #rebuild(chainId: number | null): void {
    const only = chainId === null ? undefined : this.#committed.chains.get(chainId);
    const changed = chainId === null ? this.#committed.chains : new Map(only && [[only.chainId, only]]);
    const books = new Map<number, ChainBook>();
    for (const chain of changed.values()) books.set(chain.chainId, buildChainBook(this.#stopped(chain)));
    if (chainId === null) this.#chains = books;
    else this.#chains = withEntry(this.#chains, chainId, books.get(chainId));
    this.#changes.emit(chainId);
  }

  #stopped(chain: ChainState): ChainState {
    let stopped = chain;
    for (const { chainId, under } of this.#stops) if (chainId === chain.chainId) stopped = under(stopped);
    return stopped;
  }
}
