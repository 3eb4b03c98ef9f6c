import type { ChainBook } from './chain-book.ts';
import { hasReference } from './combine-sources.ts';

/** What the independent reference last said of a pair. */
export interface Reference {
  /** Quote per base, a plain decimal above zero. */
  readonly mid: string;
  /** When that was so: the reference's own word, and never later than when it was heard; Unix milliseconds. */
  readonly time: number;
  /** When the words were so that it is made of, where it is of several sources and others of them were heard after. */
  readonly midTime?: number | undefined;
  /** Why the pair must not be quoted by it although it is fresh, or null. */
  readonly heldBack: string | null;
  /** True where only what is to stand by it is held back, the ladder that follows or its formula: the mid is as good as ever. */
  readonly isBelieved?: boolean;
  /** True where it is held back because it moved further than it may without a person. */
  readonly fenced?: boolean;
  /** Why its sources cannot be relied on, where they are why it is held back: they are apart, or too few of them are fresh. */
  readonly unsure?: 'apart' | 'few';
  /** Until when it is held back because the one before was too old or could not be relied on, Unix milliseconds; absent where it is not. */
  readonly waitsUntil?: number;
  /** What was wrong with it before it waits. */
  readonly waitsFor?: 'old' | 'apart' | 'few';
}

/**
 * The reference prices of all chains, as they were last heard. Nothing of it outlives a restart. What is of a time to come was heard
 * before our clock was set back, nobody knows when: from then on it counts as of no time, and anything takes its place.
 */
export class References {
  readonly #chains = new Map<number, Map<string, Reference>>();
  readonly #now: () => number;

  /** `now` gives Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  of(chainId: number, pair: string): Reference | undefined {
    const known = this.#chains.get(chainId);
    const reference = known?.get(pair);
    if (reference === undefined || reference.time <= this.#now()) return reference;
    const undated = { ...reference, time: 0 };
    known?.set(pair, undated);
    return undated;
  }

  /**
   * Takes what was heard of some pairs of a chain. An older word never takes the place of a newer one, but where `isCombined` says that
   * it is what several sources come to now: one of them may have taken back what it said last.
   */
  record(
    chainId: number,
    heard: ReadonlyMap<string, Reference>,
    isCombined: (pair: string) => boolean = () => false,
  ): void {
    const known = this.#chains.get(chainId) ?? new Map<string, Reference>();
    this.#chains.set(chainId, known);
    for (const [pair, reference] of heard) {
      if (isCombined(pair) || reference.time >= (this.of(chainId, pair)?.time ?? 0)) known.set(pair, reference);
    }
  }

  /** Another reference is asked from now on: what the old one said counts no more. */
  forget(chainId: number): void {
    this.#chains.delete(chainId);
  }

  /** Until when (Unix milliseconds) the pair may be quoted by what is known now; 0 when it may not, null without a reference. */
  freshUntil({ chainId, config }: Pick<ChainBook, 'chainId' | 'config'>, pair: string): number | null {
    // What is to stand within a fence and has no reference is nowhere.
    if (!hasReference(config, pair)) return (config.fenceHardBps ?? 0) > 0 ? 0 : null;
    const reference = this.of(chainId, pair);
    if (reference === undefined || reference.heldBack !== null) return 0;
    return reference.time + config.referenceMaxAgeSeconds * 1_000;
  }

  /**
   * Until when (Unix milliseconds) what it says of the pair counts as where the market is, also where the pair's own ladder must not be
   * quoted by it; 0 when it does not, null without a reference.
   */
  midFreshUntil({ chainId, config }: Pick<ChainBook, 'chainId' | 'config'>, pair: string): number | null {
    if (!hasReference(config, pair)) return null;
    const reference = this.of(chainId, pair);
    if (reference === undefined || (reference.heldBack !== null && reference.isBelieved !== true)) return 0;
    return reference.time + config.referenceMaxAgeSeconds * 1_000;
  }

  /** Until when any pair of the chain may be quoted; null where not all of them have a reference. */
  chainFreshUntil(chain: Pick<ChainBook, 'chainId' | 'config'>): number | null {
    if (chain.config.referenceUrl === null) return null;
    const pairs = [...(this.#chains.get(chain.chainId)?.keys() ?? [])];
    const times = pairs.map((pair) => this.of(chain.chainId, pair)?.time ?? 0);
    return Math.max(0, ...times.map((time) => time + chain.config.referenceMaxAgeSeconds * 1_000));
  }
}
