import type { Answers } from '../contract/desk-view.ts';

/** Times between `LEAST_MS` × 1.02^n and the next are counted as one, which is told: at most 2 % too long. */
const LEAST_MS = 0.01;
const GROWTH = 1.02;
/** The last one holds whatever took longer than ten seconds. */
const COUNTS = 700;
const MINUTE_MS = 60_000;
const MINUTES = 60;

/** How long the answers of each chain took in the last hour, refusals with them. It holds as much memory for millions as for one. */
export class AnswerTimes {
  readonly #monotonic: () => number;
  readonly #chains = new Map<number, LastHour>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  answered(chainId: number, tookMs: number): void {
    let chain = this.#chains.get(chainId);
    if (chain === undefined) {
      chain = new LastHour();
      this.#chains.set(chainId, chain);
    }
    chain.add(tookMs, this.#minute());
  }

  /** Null where nothing was answered in the last hour. */
  of(chainId: number): Answers | null {
    return this.#chains.get(chainId)?.read(this.#minute()) ?? null;
  }

  #minute(): number {
    return Math.floor(this.#monotonic() / MINUTE_MS);
  }
}

/** Counts minute by minute, so that what is over can be taken off again. */
class LastHour {
  readonly #minutes = new Map<number, Uint32Array>();
  readonly #all = new Uint32Array(COUNTS);
  #count = 0;

  add(tookMs: number, minute: number): void {
    this.#forget(minute);
    let counts = this.#minutes.get(minute);
    if (counts === undefined) {
      counts = new Uint32Array(COUNTS);
      this.#minutes.set(minute, counts);
    }
    const place = placeOf(tookMs);
    counts[place] = (counts[place] ?? 0) + 1;
    this.#all[place] = (this.#all[place] ?? 0) + 1;
    this.#count += 1;
  }

  read(minute: number): Answers | null {
    this.#forget(minute);
    if (this.#count === 0) return null;
    let slower = Math.floor(this.#count / 100);
    let place = COUNTS - 1;
    for (; place > 0; place -= 1) {
      const here = this.#all[place] ?? 0;
      if (here > slower) break;
      slower -= here;
    }
    return { count: this.#count, p99Ms: Math.round(LEAST_MS * GROWTH ** (place + 1) * 100) / 100 };
  }

  #forget(minute: number): void {
    for (const [old, counts] of this.#minutes) {
      if (old > minute - MINUTES) return;
      this.#minutes.delete(old);
      for (const [place, here] of counts.entries()) {
        this.#all[place] = (this.#all[place] ?? 0) - here;
        this.#count -= here;
      }
    }
  }
}

function placeOf(tookMs: number): number {
  if (!(tookMs > LEAST_MS)) return 0;
  return Math.min(COUNTS - 1, Math.floor(Math.log(tookMs / LEAST_MS) / Math.log(GROWTH)));
}
