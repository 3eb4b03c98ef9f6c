import { z } from 'zod';
import { readHead } from '../chain/chain-head.ts';
import { loadMemory } from '../chain/chain-memory.ts';
import { MAX_REORG_BLOCKS } from '../chain/forks.ts';
import { chainIdSchema } from '../contract/names.ts';
import { type HedgeRecord, isEnded } from '../journal/hedges/fold.ts';
import type { BlockRange } from './block-ranges.ts';
import { isCancelledOnChain } from './cancelled-on-chain.ts';
import type { HedgeNode } from './hedge-node.ts';
import { type HedgeParts, sentenceOf } from './hedge-parts.ts';
import type { OutlivingOrder } from './hedge-steps.ts';
import { LOOK_BACK_SECONDS } from './still-live.ts';
import { leftOf } from './venues/venues.ts';

const EVERY_MS = 15_000;
/** How often it is noted how far back the next desk has to look. */
const NOTE_EVERY_SECONDS = 3_600;

/**
 * What the next desk looks for, chain by chain: every order whose deadline, Unix seconds, is not before `since`, and of those before it
 * the ones that were not over, by the rows of their hedges. One that can never be looked for costs its own row, and no other's.
 */
const LOOK_BACK = 'outliving-orders';
const lookBackSchema = z.array(
  z.object({ chainId: chainIdSchema, since: z.int(), rows: z.array(z.int()).default([]) }),
);

type Parts = Pick<HedgeParts, 'guard' | 'journal' | 'now' | 'log' | 'book'>;

interface OutlivingOrdersOptions {
  node: (chainId: number) => HedgeNode;
  /** The hedges that run. */
  running: () => HedgeRecord[];
  /** How often the chain is asked what became of them, milliseconds. */
  everyMs?: number | undefined;
  /** Books what these blocks took of an order. Throws DeskError of the node. */
  book: (hedge: HedgeRecord, blocks: BlockRange) => Promise<void>;
}

/**
 * Orders that outlive their hedges: the service calls them over or a person gave them up, and their signatures are good until their
 * deadlines. Each goes on counting in the guard until the clocks of its chain and of this desk agree that its deadline is past, or the
 * chain shows that it was cancelled; what the chain takes of it meanwhile is booked.
 */
export class OutlivingOrders {
  readonly #parts: Parts;
  readonly #options: OutlivingOrdersOptions;
  readonly #orders = new Map<number, OutlivingOrder>();
  /** From which block on each is looked for next. */
  readonly #lookFrom = new Map<number, number>();
  /** Hedges that ended a moment ago, of which it is being read whether they signed anything. */
  readonly #reading = new Set<Promise<void>>();
  /** The chains of those that are being read, and of those that cannot be read, by their rows: the next desk tries again. */
  readonly #unread = new Map<number, number>();
  /** From which block on each is looked for as cancelled; what lies before does not change any more. */
  readonly #cancelledFrom = new Map<number, number>();
  /** What was said last of a chain, or of an order, that cannot be read. */
  readonly #said = new Map<string, string>();
  /** When it was noted last how far back the next desk has to look, Unix seconds. */
  #notedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #turn: Promise<void> | null = null;
  #stopped = false;

  constructor(parts: Parts, options: OutlivingOrdersOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Takes up what ended before this desk started, also where no desk looked for it since its deadline passed. */
  async start(): Promise<void> {
    const { journal } = this.#parts;
    const usual = this.#seconds() - LOOK_BACK_SECONDS;
    const noted = lookBackSchema.safeParse((await journal.read.setting(LOOK_BACK)) ?? []).data ?? [];
    const since = new Map(noted.map((one) => [one.chainId, Math.min(usual, one.since)]));
    const hedges = await journal.read.hedgesUntil(Math.min(usual, ...since.values()));
    for (const hedge of hedges) {
      const { chainId, deadline } = hedge.opened;
      if (isEnded(hedge) && deadline >= (since.get(chainId) ?? usual)) await this.ended(hedge);
    }
    for (const { chainId, rows } of noted) for (const seq of rows) await this.#takeUp(seq, chainId);
    await this.#note();
    this.#timer = setInterval(() => {
      this.#turn ??= this.#look().finally(() => {
        this.#turn = null;
      });
    }, this.#options.everyMs ?? EVERY_MS);
    this.#timer.unref();
  }

  /** Lets go; what waits for an answer of a node says nothing more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#turn;
  }

  /** Takes up what was not over by the word of the desk before. */
  async #takeUp(seq: number, chainId: number): Promise<void> {
    try {
      const hedge = await this.#parts.journal.read.hedge(seq);
      if (hedge !== null && isEnded(hedge)) await this.ended(hedge);
    } catch (error) {
      this.#cannotRead(seq, chainId, error);
    }
  }

  /** A hedge has ended: what it may still take counts until then as it did while it ran. */
  ended(hedge: HedgeRecord): Promise<void> {
    const reading = this.#ended(hedge).finally(() => this.#reading.delete(reading));
    this.#reading.add(reading);
    return reading;
  }

  async #ended(hedge: HedgeRecord): Promise<void> {
    const { seq, opened } = hedge;
    this.#unread.set(seq, opened.chainId);
    try {
      // One that is done was taken whole.
      const order = hedge.state === 'done' ? null : await this.#signed(hedge);
      this.#unread.delete(seq);
      if (order === null || order.left === 0n) return this.#over(hedge);
      this.#orders.set(seq, order);
      this.#tell(hedge, order.left, opened.deadline);
    } catch (error) {
      this.#cannotRead(seq, opened.chainId, error);
    }
  }

  #cannotRead(seq: number, chainId: number, error: unknown): void {
    this.#unread.set(seq, chainId);
    this.#parts.log.warn('what an order that has ended may take is not known', { seq, error: sentenceOf(error) });
  }

  /** It runs again: the hedge itself tells what it takes. */
  runsAgain(seq: number): void {
    this.#forget(seq);
  }

  /** Those that may still be taken. */
  all(): OutlivingOrder[] {
    return [...this.#orders.values()].filter((order) => this.#counts(order));
  }

  /** Resolves once everything that has ended by then is known here. */
  async caughtUp(): Promise<void> {
    while (this.#reading.size > 0) await Promise.all(this.#reading);
  }

  /** Those that may still be taken, or may have been shortly before their deadline, which is looked up once more. */
  unsettled(): HedgeRecord[] {
    return [...this.#orders.values()].map(({ hedge }) => hedge);
  }

  #counts({ hedge }: OutlivingOrder): boolean {
    return this.#parts.guard.orders.of(hedge.opened.chainId).hedges.of(hedge.seq) !== 0n;
  }

  async #signed(hedge: HedgeRecord): Promise<OutlivingOrder | null> {
    const steps = (await this.#parts.journal.read.hedgeSteps(hedge.seq)).map(({ step }) => step);
    const order = leftOf(hedge, steps);
    return order && { ...order, hedge, hasPermit: steps.some(({ step }) => step === 'permit_signed') };
  }

  #tell({ seq, opened }: HedgeRecord, amount: bigint, until: number | null): void {
    this.#parts.guard.orders.of(opened.chainId).hedges.set(seq, { token: opened.src.address, amount, until });
  }

  #seconds(): number {
    return Math.floor(this.#parts.now() / 1_000);
  }

  /** Notes what the next desk has to look for: whatever may still be taken, or was not looked for since, is among it. */
  async #note(): Promise<void> {
    const { journal, book } = this.#parts;
    const now = this.#seconds();
    const since = now - LOOK_BACK_SECONDS;
    const waiting = [...this.#options.running(), ...this.unsettled()].map(({ seq, opened }) => ({ seq, ...opened }));
    const old = waiting.flatMap(({ seq, chainId, deadline }) => (deadline < since ? [[seq, chainId] as const] : []));
    const rows = new Map([...old, ...this.#unread]);
    // An order of a chain that was removed is looked for once that chain is back.
    const chains = new Set([...book.chains().map(({ chainId }) => chainId), ...rows.values()]);
    const value = [...chains].map((chainId) => {
      return { chainId, since, rows: [...rows].flatMap(([seq, of]) => (of === chainId ? [seq] : [])) };
    });
    await journal.put({ table: 'settings', key: LOOK_BACK, value });
    this.#notedAt = now;
  }

  #forget(seq: number): void {
    this.#orders.delete(seq);
    this.#unread.delete(seq);
    this.#lookFrom.delete(seq);
    this.#cancelledFrom.delete(seq);
  }

  #over(hedge: HedgeRecord): void {
    this.#forget(hedge.seq);
    this.#tell(hedge, 0n, null);
  }

  async #look(): Promise<void> {
    const chains = new Map<number, OutlivingOrder[]>();
    for (const order of this.#orders.values()) {
      const { chainId } = order.hedge.opened;
      chains.set(chainId, [...(chains.get(chainId) ?? []), order]);
    }
    for (const [chainId, orders] of chains) {
      if (this.#stopped || this.#parts.book.chain(chainId) === undefined) continue;
      await this.#sayWhy(`chain ${chainId}`, () => this.#lookAt(chainId, orders));
    }
    if (this.#stopped || this.#seconds() < this.#notedAt + NOTE_EVERY_SECONDS) return;
    await this.#sayWhy('how far back to look', () => this.#note());
  }

  /** What cannot be read counts on, and is looked for again; it keeps nothing else from being read, and is said once. */
  async #sayWhy(about: string, look: () => Promise<void>): Promise<void> {
    try {
      await look();
      this.#said.delete(about);
    } catch (error) {
      const sentence = sentenceOf(error);
      if (this.#stopped || this.#said.get(about) === sentence) return;
      this.#said.set(about, sentence);
      this.#parts.log.warn('what became of orders whose hedges have ended cannot be read', { about, error: sentence });
    }
  }

  /** Blocks that a reorganisation may still replace are looked at again. */
  async #book({ hedge, since }: OutlivingOrder, newest: number): Promise<void> {
    // What was signed when that block was the newest lies behind it.
    if (since === null || this.#stopped) return;
    const from = this.#lookFrom.get(hedge.seq) ?? since + 1;
    await this.#options.book(hedge, { from, to: newest });
    this.#lookFrom.set(hedge.seq, Math.max(from, newest - MAX_REORG_BLOCKS));
  }

  async #lookAt(chainId: number, orders: readonly OutlivingOrder[]): Promise<void> {
    const { node } = this.#options.node(chainId);
    // What was over before this look is looked at once more: its last seconds may have brought a fill.
    const over = new Set(orders.filter((order) => !this.#counts(order)));
    const known = (await loadMemory(this.#parts.journal, chainId))?.blocks.at(-1);
    const { latest, atOurs } = await readHead(node, chainId, known);
    // The desk has not settled yet on which branch, or on which chain altogether, the node is.
    if (known !== undefined && atOurs?.hash !== known.hash) return;
    for (const order of orders) {
      const { seq, opened } = order.hedge;
      await this.#sayWhy(`hedge ${seq}`, async () => {
        await this.#book(order, latest.number);
        if (over.has(order)) return this.#forget(seq);
        const isOver = await isCancelledOnChain(node, order, {
          maker: opened.maker,
          newest: latest.number,
          from: this.#cancelledFrom.get(seq) ?? order.since ?? 0,
          looked: (block) => this.#cancelledFrom.set(seq, block + 1),
        });
        if (isOver && !this.#stopped && this.#orders.has(seq)) this.#over(order.hedge);
      });
    }
  }
}
