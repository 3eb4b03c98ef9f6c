import type { Rooms } from './rooms.ts';

/** How often the mids are looked at, how many are kept of a pair, and how many of them are told. Two hours in all. */
const EVERY_MS = 10_000;
const KEPT = 720;
const TOLD = 60;
/** A told point is a place between the lowest (0) and the highest (this): for pixels, never for money. */
const SCALE = 1_000;

export interface MidLine {
  chainId: number;
  pair: string;
  points: (number | null)[];
}

/** The mids that the desk itself quoted since it runs, for the lines of the blotter. Null where a side had no price. */
export class MidHistory {
  readonly #book: Rooms['book'];
  readonly #timer: NodeJS.Timeout;
  readonly #mids = new Map<string, { chainId: number; pair: string; mids: (number | null)[] }>();

  constructor({ book }: Pick<Rooms, 'book'>) {
    this.#book = book;
    this.#look();
    this.#timer = setInterval(() => this.#look(), EVERY_MS).unref();
  }

  /** Oldest first, evenly thinned, the newest always among them. */
  lines(): MidLine[] {
    return [...this.#mids.values()].map(({ chainId, pair, mids }) => ({
      chainId,
      pair,
      points: scaled(thinned(mids)),
    }));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const gone = new Set(this.#mids.keys());
    for (const { chainId, pairs } of this.#book.chains()) {
      for (const { id, ladder } of pairs.values()) {
        const key = `${chainId} ${id}`;
        gone.delete(key);
        const known = this.#mids.get(key) ?? { chainId, pair: id, mids: [] };
        const [bid, ask] = [ladder.ladder.bids[0]?.[0], ladder.ladder.asks[0]?.[0]];
        known.mids.push(bid === undefined || ask === undefined ? null : (Number(bid) + Number(ask)) / 2);
        if (known.mids.length > KEPT) known.mids.shift();
        this.#mids.set(key, known);
      }
    }
    for (const key of gone) this.#mids.delete(key);
  }
}

function thinned(mids: readonly (number | null)[]): (number | null)[] {
  const step = Math.ceil(mids.length / TOLD);
  return mids.filter((_, index) => (mids.length - 1 - index) % step === 0);
}

function scaled(mids: readonly (number | null)[]): (number | null)[] {
  const known = mids.filter((mid) => mid !== null && Number.isFinite(mid)) as number[];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const place = (mid: number) => (high === low ? SCALE / 2 : Math.round(((mid - low) / (high - low)) * SCALE));
  return mids.map((mid) => (mid === null || !Number.isFinite(mid) ? null : place(mid)));
}
