import type { BookPair } from '../book/chain-book.ts';
import type { FollowOutcome } from '../book/follower.ts';
import { BEFORE_MS, type KnownMid, LONGEST_MS, volatilityOf } from '../book/volatility.ts';
import type { Formula } from '../contract/formula.ts';
import type { FormulaInputs } from '../contract/formula-prices.ts';
import type { ReferenceSample } from '../journal/book/reference-samples.ts';
import type { Journal } from '../journal/journal.ts';
import { compare, fromRaw, parseDecimal } from '../protocol/decimal.ts';
import type { NetPositions } from './net-positions.ts';

/** A mid and when it was so, Unix milliseconds. */
type Said = Pick<ReferenceSample, 'mid' | 'time'>;
/** With when the words were so that it is made of, where others were heard after them. */
type SaidOfSources = Said & { readonly midTime?: number | undefined };

/**
 * What the formulas of a desk work with beside the mid of this moment: how far each reference moved, by the samples that are kept of
 * what was believed, also from before the start; and what the desk is long or short of the base token by its fills and hedges.
 */
export class FormulaInputSource {
  readonly #journal: Pick<Journal, 'read'>;
  readonly #positions: Pick<NetPositions, 'of'>;
  readonly #now: () => number;
  readonly #samples = new Map<string, KnownMid[]>();

  constructor(journal: Pick<Journal, 'read'>, positions: Pick<NetPositions, 'of'>, now: () => number) {
    this.#journal = journal;
    this.#positions = positions;
    this.#now = now;
  }

  /** Reads what was said of a pair before, where its formula asks for that and nothing is kept yet. */
  async ready(chainId: number, pair: string, { volatility }: Formula): Promise<void> {
    const key = `${chainId} ${pair}`;
    if (volatility === undefined || this.#samples.has(key)) return;
    const now = this.#now();
    const said = await this.#journal.read.referenceSamples(chainId, pair, now - LONGEST_MS - BEFORE_MS, now);
    if (this.#samples.has(key)) return;
    this.#samples.set(
      key,
      said.map(({ time, mid }) => ({ time, mid: parseDecimal(mid) })),
    );
  }

  /** The reference said this, and was believed. */
  note(chainId: number, pair: string, { mid, time }: Said): void {
    const samples = this.#samples.get(`${chainId} ${pair}`);
    if (samples === undefined) return;
    // Our clock was set back since: they are of nobody knows when, and would keep out all that is said from now on.
    const now = this.#now();
    while ((samples.at(-1)?.time ?? 0) > now) samples.pop();
    const last = samples.at(-1);
    const price = parseDecimal(mid);
    const isBefore = last !== undefined && time <= last.time;
    if (isBefore && compare(price, last.mid) === 0) return;
    // One of several sources moved while the word that dates them stands, as in the samples of the journal.
    const at = isBefore ? now : time;
    samples.push({ time: at, mid: price });
    const oldest = at - LONGEST_MS;
    // The newest one that is older than any window holds where that begins.
    while ((samples[1]?.time ?? at) <= oldest) samples.shift();
  }

  /** Another reference is asked from now on. */
  forget(chainId: number): void {
    for (const key of this.#samples.keys()) if (key.startsWith(`${chainId} `)) this.#samples.delete(key);
  }

  /** What a formula works with where its mid is this; or why that is not known. */
  of(chainId: number, { id, base }: BookPair, formula: Formula, said: SaidOfSources): FormulaInputs | FollowOutcome {
    const now = this.#now();
    const position = formula.inventory === undefined ? undefined : this.#positions.of(chainId, base.address);
    const { windowSeconds } = formula.volatility ?? {};
    const samples = windowSeconds === undefined ? [] : this.#samples.get(`${chainId} ${id}`);
    if (position === null) {
      const sentence = `what the desk is long or short of ${base.symbol} by its fills and hedges cannot be read from the journal`;
      return { kind: 'held', sentence };
    }
    // It is known in a moment.
    if (position === 'later' || samples === undefined) return { kind: 'later' };
    const moved = windowSeconds === undefined ? undefined : volatilityOf(samples, windowSeconds, now);
    if (moved !== undefined && 'sentence' in moved) return { kind: 'held', sentence: moved.sentence };
    return {
      mid: said.mid,
      ageMs: Math.max(0, now - (said.midTime ?? said.time)),
      position: position === undefined ? null : fromRaw(position, base.decimals),
      volatilityBps: moved?.bps ?? null,
    };
  }
}
