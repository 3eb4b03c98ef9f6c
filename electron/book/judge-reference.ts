import { isoTime } from '../contract/names.ts';
import type { Journal } from '../journal/journal.ts';
import type { ChainBook } from './chain-book.ts';
import type { CombinedSources } from './combine-sources.ts';
import type { FollowOutcome } from './follower.ts';
import { CoolDown } from './reference-cool-down.ts';
import { ReferenceFence } from './reference-fence.ts';
import type { Reference, References } from './references.ts';

const HOUR_MS = 3_600_000;

/** What is said of a pair now. `unsure`: why it must not be relied on. */
export interface SaidOfPair {
  readonly mid: string;
  readonly time: number;
  readonly midTime?: number | undefined;
  readonly unsure: CombinedSources['unsure'];
}
export type Listed = readonly [pair: string, said: SaidOfPair];

interface Parts {
  readonly references: Pick<References, 'of'>;
  readonly read: Pick<Journal['read'], 'referenceSpan'>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Whether what is said of a pair is believed, and what holds it back: its sources, that it moved too far without a person, that it was too
 * old or unsure until just now, or that the pair's ladder does not stand by it. Nothing of it outlives a restart.
 */
export class ReferenceJudge {
  readonly #parts: Parts;
  readonly #fence = new ReferenceFence();
  readonly #coolDown = new CoolDown();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Another reference is asked from now on. */
  forget(chainId: number): void {
    this.#fence.forget(chainId);
    this.#coolDown.forget(chainId);
  }

  /** The pairs whose price is not believed, and why: also of those that do not follow. */
  async fenced(chain: ChainBook, listed: readonly Listed[]): Promise<Map<string, string>> {
    const { read, now } = this.#parts;
    const { chainId } = chain;
    const unknown = listed.filter(([pair]) => !this.#fence.knows(chainId, pair));
    await Promise.all(
      unknown.map(async ([id]) => {
        const known = await read.referenceSpan(chainId, id, now() - HOUR_MS);
        const pair = chain.pairs.get(id);
        if (pair !== undefined) this.#fence.begin(chainId, pair, known, now());
      }),
    );
    const fenced = new Map<string, string>();
    for (const [id, { mid }] of listed) {
      const pair = chain.pairs.get(id);
      const refused = pair === undefined ? null : this.#fence.judge(chain, pair, mid, now());
      if (refused !== null) fenced.set(id, refused);
    }
    return fenced;
  }

  /** What is said of a pair as it counts. `fenced`: the pairs whose price is not believed; `followers`: what became of ladders that follow. */
  judged(
    chain: ChainBook,
    [pair, { mid, time, midTime, unsure }]: Listed,
    found: { fenced: ReadonlyMap<string, string>; followers: ReadonlyMap<string, FollowOutcome> },
  ): Reference {
    const { references, now } = this.#parts;
    const before = references.of(chain.chainId, pair);
    if (unsure !== null) {
      // What was last relied on stays to be seen, and grows old.
      const last = before ?? { mid, time, midTime };
      return { mid: last.mid, time: last.time, midTime: last.midTime, heldBack: unsure.sentence, unsure: unsure.why };
    }
    // Also of a word that is not believed: after it the one before, which was too old, is not known any more.
    const waitsUntil = this.#coolDown.waitsUntil(chain, pair, before, { time }, now());
    const refused = found.fenced.get(pair);
    const waits = waitsUntil !== null && { waitsFor: before?.unsure ?? before?.waitsFor ?? 'old' };
    if (refused !== undefined) return { mid, time, midTime, heldBack: refused, fenced: true, ...waits };
    const outcome = found.followers.get(pair);
    if (outcome?.kind === 'held')
      return { mid, time, midTime, heldBack: outcome.sentence, isBelieved: !waits, ...waits };
    if (!waits) return { mid, time, midTime, heldBack: null };
    return { mid, time, midTime, heldBack: waiting(waits.waitsFor, waitsUntil), waitsUntil, ...waits };
  }
}

/** What is said of a pair once so much was taken back that too little is left: what counted before must not be relied on. */
export function takenBack({ mid, time, midTime }: Reference): SaidOfPair {
  const sentence = 'too few of its sources have said anything that still counts';
  return { mid, time, midTime, unsure: { why: 'few', sentence } };
}

/** What was wrong with the reference of a pair that waits. */
const WAITED_FOR = {
  old: 'it was too old',
  apart: 'its sources were apart',
  few: 'too few of its sources were fresh',
} as const;

/** Why a pair is held back although its reference is well again, as the end of a sentence. */
function waiting(why: keyof typeof WAITED_FOR, until: number): string {
  return `${WAITED_FOR[why]}; the pair is quoted again at ${isoTime(until).slice(11, 19)} UTC if it stays fresh`;
}
