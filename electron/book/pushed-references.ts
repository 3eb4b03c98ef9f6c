import type { SourcePrice } from '../contract/sources.ts';
import { sourcePrice } from './sources/source-price.ts';

/** Who takes what a token pushes as a reference. */
interface Listener {
  readonly pairs: readonly string[];
  said(pair: string, price: SourcePrice): void;
  /** The count of the token broke off, or the token counts no more: what it said before counts no more. */
  brokeOff(): void;
}

/** What engines push to be used as references: from the door for prices to the sources of the kind `push`. */
export class PushedReferences {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Returns what ends that. */
  listen(chainId: number, token: string, listener: Listener): () => void {
    const key = `${chainId} ${token}`;
    const all = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, all.add(listener));
    return () => all.delete(listener);
  }

  /** Why what a token said of a pair at `now` (Unix milliseconds) was not taken, as a sentence, or null. */
  say(said: { chainId: number; token: string; pair: string; value: unknown; now: number }): string | null {
    const { chainId, token, pair, value, now } = said;
    const listeners = [...(this.#listeners.get(`${chainId} ${token}`) ?? [])].filter(({ pairs }) =>
      pairs.includes(pair),
    );
    if (listeners.length === 0) return `No source of this desk takes the reference of ${pair} from this token.`;
    const price = sourcePrice(typeof value === 'object' && value !== null ? value : { mid: value ?? null }, now);
    if (typeof price === 'string') return `${pair}: ${price}.`;
    for (const listener of listeners) listener.said(pair, price);
    return null;
  }

  breakOff(chainId: number, token: string): void {
    for (const listener of this.#listeners.get(`${chainId} ${token}`) ?? []) listener.brokeOff();
  }
}
