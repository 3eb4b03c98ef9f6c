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

/** The earliest deadline of each chain, Unix seconds, behind which an order may not have been looked for yet. */
const LOOK_BACK = 'outliving-orders';
const lookBackSchema = z.array(z.object({ chainId: chainIdSchema, since: z.int() }));

type Parts = Pick<HedgeParts, 'guard' | 'journal' | 'now' | 'log' | 'book'>;

interface OutlivingOrdersOptions {
  node: (chainId: number) => HedgeNode;
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

  /** A hedge has ended: what it may still take counts until then as it did while it ran. */
  ended(hedge: HedgeRecord): Promise<void> {
    const reading = this.#ended(hedge).finally(() => this.#reading.delete(reading));
    this.#reading.add(reading);
    return reading;
  }

  async #ended(hedge: HedgeRecord): Promise<void> {
    const { seq, opened } = hedge;
    try {
      // One that is done was taken whole.
      const order = hedge.state === 'done' ? null : await this.#signed(hedge);
      if (order === null || order.left === 0n) return this.#over(hedge);
      this.#orders.set(seq, order);
      this.#tell(hedge, order.left, opened.deadline);
    } catch (error) {
      this.#parts.log.warn('what an order that has ended may take is not known', { seq, error: sentenceOf(error) });
    }
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

  /** Notes how far back the next desk has to look: whatever may still be taken, or was not looked for since, is not before. */
  async #note(): Promise<void> {
    const { journal, book } = this.#parts;
    const now = this.#seconds();
    const running = await journal.read.openHedges();
    await this.caughtUp();
    const waiting = [...running, ...this.unsettled()].map(({ opened }) => opened);
    const value = book.chains().map(({ chainId }) => {
      const deadlines = waiting.flatMap((one) => (one.chainId === chainId ? [one.deadline] : []));
      return { chainId, since: Math.min(now - LOOK_BACK_SECONDS, ...deadlines) };
    });
    await journal.put({ table: 'settings', key: LOOK_BACK, value });
    this.#notedAt = now;
  }

  #forget(seq: number): void {
    this.#orders.delete(seq);
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
