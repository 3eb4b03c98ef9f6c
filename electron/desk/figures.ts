import type { Draft } from '../contract/book.ts';
import type { PairFigures, PairToday } from './pair-rows.ts';
import type { Rooms } from './rooms.ts';

/** How often today's counts are read, and how much longer than the reading itself the pause is at least. */
const EVERY_MS = 2_000;
const REST_PER_WORK = 20;
const DAY_MS = 86_400_000;

const keyOf = (chainId: number, pair: string) => `${chainId} ${pair}`;

/** Figures of the blotter that are read from the journal or counted as drafts change. */
export class Figures implements PairFigures {
  readonly #rooms: Pick<Rooms, 'journal' | 'book' | 'now' | 'log'>;
  readonly #drafts = new Map<string, number>();
  #today = new Map<string, PairToday>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(rooms: Pick<Rooms, 'journal' | 'book' | 'now' | 'log'>) {
    this.#rooms = rooms;
    const { book } = rooms;
    for (const chain of book.chains()) {
      for (const pair of chain.pairs.keys()) this.#countDraft(book.draft(chain.chainId, pair));
    }
    book.onDraft((draft) => this.#countDraft(draft));
    void this.#read();
  }

  today(chainId: number, pair: string): PairToday | undefined {
    return this.#today.get(keyOf(chainId, pair));
  }

  draftCells(chainId: number, pair: string): number {
    return this.#drafts.get(keyOf(chainId, pair)) ?? 0;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #countDraft({ chainId, pair, bids, asks }: Draft): void {
    const cells = [...bids, ...asks].flatMap(({ price, amount }) => [price, amount]);
    this.#drafts.set(keyOf(chainId, pair), cells.filter(({ editor }) => editor !== null).length);
  }

  async #read(): Promise<void> {
    const began = this.#rooms.now();
    try {
      const { read } = this.#rooms.journal;
      const since = began - (began % DAY_MS);
      const [counts, orders] = await Promise.all([read.pairCounts(since), read.filledOrders(since)]);
      const filled = new Map(orders.map((row) => [keyOf(row.chainId, row.pair), row.orders]));
      this.#today = new Map(
        counts.map((row) => {
          const key = keyOf(row.chainId, row.pair);
          return [key, { ...row, filledOrders: filled.get(key) ?? 0 }];
        }),
      );
    } catch (error) {
      this.#rooms.log.warn('today’s counts could not be read', { error: String(error) });
    }
    if (this.#closed) return;
    const took = this.#rooms.now() - began;
    this.#timer = setTimeout(() => void this.#read(), Math.max(EVERY_MS, took * REST_PER_WORK)).unref();
  }
}
