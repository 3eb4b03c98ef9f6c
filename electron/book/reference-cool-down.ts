import type { ChainBook } from './chain-book.ts';
import type { Reference } from './references.ts';

/**
 * Which pairs went off because their reference was too old or its sources could not be relied on, and when each may be quoted again: not at its first fresh word,
 * which may be the only one for long, but once it has been fresh for as long as the chain's setting says. Nothing of it
 * outlives a restart.
 */
export class CoolDown {
  readonly #backAt = new Map<string, number>();

  /**
   * Until when a pair waits whose reference has just said something, or null where it does not: also where this word is too
   * old itself. `before` is what was last heard of it. Times are Unix milliseconds.
   */
  waitsUntil(
    { chainId, config }: Pick<ChainBook, 'chainId' | 'config'>,
    pair: string,
    before: Pick<Reference, 'time' | 'unsure'> | undefined,
    { time }: Pick<Reference, 'time'>,
    now: number,
  ): number | null {
    const key = `${chainId} ${pair}`;
    const isStale = (said: number) => now > said + config.referenceMaxAgeSeconds * 1_000;
    if (isStale(time)) return null;
    const coolDownMs = config.referenceCoolDownSeconds * 1_000;
    if (before !== undefined && (before.unsure !== undefined || isStale(before.time)))
      this.#backAt.set(key, now + coolDownMs);
    // A clock that was set back makes nobody wait for longer.
    const backAt = Math.min(this.#backAt.get(key) ?? 0, now + coolDownMs);
    if (now < backAt) {
      this.#backAt.set(key, backAt);
      return backAt;
    }
    this.#backAt.delete(key);
    return null;
  }

  /** Another reference is asked from now on. */
  forget(chainId: number): void {
    for (const key of this.#backAt.keys()) if (key.startsWith(`${chainId} `)) this.#backAt.delete(key);
  }
}
