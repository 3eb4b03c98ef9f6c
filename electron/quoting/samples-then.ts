import type { Database } from 'better-sqlite3';
import { BEFORE_MS, type KnownMid, LONGEST_MS } from '../book/volatility.ts';
import { type HeardSample, readReference } from '../journal/book/reference-samples.ts';
import { parseDecimal } from '../protocol/decimal.ts';

/** So much of what a reference said is read at once, milliseconds. */
const CHUNK_MS = 3_600_000;

type SaidThen = KnownMid & Pick<HeardSample, 'heard' | 'midTime' | 'until'> & { readonly text: string };

/** What the references of a journal had said of each pair by a moment; see `SamplesThen`. */
export function samplesThen(db: Database): (chainId: number, pair: string) => SamplesThen {
  const { referenceSamples } = readReference(db);
  const known = new Map<string, SamplesThen>();
  return (chainId, pair) => {
    const key = `${chainId} ${pair}`;
    const samples = known.get(key) ?? new SamplesThen((from, to) => referenceSamples(chainId, pair, from, to));
    known.set(key, samples);
    return samples;
  };
}

/** What a reference said before a moment that goes on, as far back as a window of a formula reaches. */
export class SamplesThen {
  readonly #read: (from: number, to: number) => readonly HeardSample[];
  #kept: SaidThen[] = [];
  #readTo = 0;

  constructor(read: (from: number, to: number) => readonly HeardSample[]) {
    this.#read = read;
  }

  /** What the desk had heard by then, oldest first: a source may say late how it was. Moments are asked for in their order. */
  knownAt(at: number): readonly SaidThen[] {
    const isBack = at < (this.#kept[0]?.time ?? 0); // a clock that was set back
    if (this.#readTo === 0 || isBack || at - this.#readTo > CHUNK_MS) {
      this.#kept = [];
      this.#readTo = Math.max(0, at - LONGEST_MS - BEFORE_MS);
    }
    while (this.#readTo <= at) {
      const to = this.#readTo + CHUNK_MS;
      for (const { time, heard, mid, midTime, until } of this.#read(this.#readTo, to - 1)) {
        this.#kept.push({ time, heard, midTime, until, mid: parseDecimal(mid), text: mid });
      }
      this.#readTo = to;
      const oldest = at - LONGEST_MS;
      const first = this.#kept.findLastIndex(({ time }) => time <= oldest);
      if (first > 0) this.#kept = this.#kept.slice(first);
    }
    return this.#kept.slice(0, this.#kept.findLastIndex(({ heard }) => heard <= at) + 1);
  }
}

/** Whether what a reference had said last is of no use at a moment: too old by the settings that are tried, or not believed then. */
export function isOver({ time, until }: Pick<SaidThen, 'time' | 'until'>, at: number, mostAgeMs: number): boolean {
  return at - time > mostAgeMs || (until !== null && until < at);
}
