import type { SourceLine, SourcePrice } from '../../contract/sources.ts';
import { UpdateRate } from '../update-rate.ts';

interface About {
  readonly chainId: number;
  readonly name: string;
  readonly kind: string;
  /** As it may be shown. */
  readonly url: string | null;
}

interface Told {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Something that can be used was heard. */
  readonly onNews?: () => void;
  /** It began to fail with this, or (null) is well again. */
  readonly onFault?: (fault: string | null) => void;
}

/** Letters of an outsider's error that are kept. */
const MOST_LETTERS = 300;
/** Pairs about which a source may say something that cannot be used, before the rest is not kept. */
const MOST_FAULTS = 1_000;

/** What one source said, and how it does. Nothing of it outlives a restart. */
export class HeardSource {
  readonly about: About;
  readonly #told: Told;
  readonly #prices = new Map<string, SourcePrice>();
  readonly #faults = new Map<string, string>();
  readonly #rate = new UpdateRate();
  #answeredAt: number | null = null;
  #lastAt: number | null = null;
  #fault: string | null = null;
  #lastError: { error: string; at: number } | null = null;

  constructor(about: About, told: Told) {
    this.about = about;
    this.#told = told;
  }

  /** What it last said of a pair that could be used. */
  of(pair: string): SourcePrice | undefined {
    return this.#prices.get(pair);
  }

  /** Pairs of which it last said something that cannot be used, and why. */
  get pairFaults(): ReadonlyMap<string, string> {
    return this.#faults;
  }

  /** When it last answered anything that could be read, Unix milliseconds; null where it never did. */
  get answeredAt(): number | null {
    return this.#answeredAt;
  }

  /** Why it says nothing now, or null. */
  get fault(): string | null {
    return this.#fault;
  }

  /**
   * It said this: of each pair a price, or why that cannot be used, in words; what it says of others stays. An older word never
   * takes the place of a newer one. `updates`: so many came since the last call. `isWhole`: it names every pair it has.
   */
  heard(said: ReadonlyMap<string, SourcePrice | string>, { updates = 1, isWhole = false } = {}): void {
    const now = this.#told.now();
    this.#answeredAt = now;
    if (isWhole) this.#faults.clear();
    let hasNews = false;
    for (const [pair, price] of said) {
      if (typeof price === 'string') {
        if (this.#faults.has(pair) || this.#faults.size < MOST_FAULTS) this.#faults.set(pair, short(price));
        this.#lastError = { error: short(`${pair}: ${price}`), at: now };
        continue;
      }
      this.#faults.delete(pair);
      const before = this.#prices.get(pair)?.time ?? 0;
      if (price.time < before && before <= now) continue; // one that is later than now is of before our clock was set back
      this.#prices.set(pair, price);
      this.#lastAt = now;
      hasNews = true;
    }
    if (hasNews) this.#rate.add(now, updates);
    this.#setFault(null);
    if (hasNews) this.#told.onNews?.();
  }

  /** It could not be heard: why, as a sentence. What it said before stays, and grows old. */
  failed(sentence: string): void {
    this.#lastError = { error: short(sentence), at: this.#told.now() };
    this.#setFault(short(sentence));
  }

  /** What it said before counts no more. */
  forget(): void {
    this.#prices.clear();
  }

  /** `pairs`: those that it is asked for. */
  line(pairs: readonly string[]): SourceLine {
    const named = pairs.map((pair) => {
      return [pair, { price: this.#prices.get(pair) ?? null, fault: this.#faults.get(pair) ?? null }] as const;
    });
    return {
      ...this.about,
      lastAt: this.#lastAt,
      updates: this.#rate.count(this.#told.now()),
      fault: this.#fault,
      lastError: this.#lastError,
      pairs: Object.fromEntries(named),
    };
  }

  #setFault(fault: string | null): void {
    const before = this.#fault;
    this.#fault = fault;
    if ((before === null) !== (fault === null)) this.#told.onFault?.(fault);
  }
}

function short(text: string): string {
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS)}…`;
}
