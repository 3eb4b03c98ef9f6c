import type { WhatIfBand, WhatIfEnd, WhatIfEnds, WhatIfGroup, WhatIfSums } from '../contract/what-if.ts';
import type { QuoteBody } from '../journal/quotes/events.ts';
import { plus, tenthBps, type Worth } from '../journal/quotes/trade-value.ts';
import { dollarText } from '../journal/results/result-sums.ts';
import type { Rational } from '../protocol/decimal.ts';
import type { Amounts, FillWorth, Worths } from './what-if-worths.ts';

/** What a sum was, and between which two it would have been. */
type Ends = Record<'was' | 'low' | 'high', Rational>;

/** Dollars, and the volume that each is of. */
export type Band = Ends & { volume: Ends };

type Measure = 'edge' | 'markout';

/** What became of some requests; see `whatIfSumsSchema`. */
export type Sums = Omit<WhatIfSums, Measure> & Record<Measure, Band>;

/** What the sums grow by in one step of the time. */
type Growth = Record<Measure, Ends>;

/** Equal steps of the time, and what the sums grew by in each. */
export interface Curve {
  readonly since: number;
  readonly until: number;
  readonly growth: readonly Growth[];
}

/** A request and what would have been decided about it. */
export interface Judged {
  readonly was: QuoteBody;
  /** Why nothing would have been signed, or null. */
  readonly code: string | null;
  readonly ask: Amounts | undefined;
  /** When it was decided, Unix milliseconds. */
  readonly time: number;
}

/** What a request is counted as, and whether anything of it is in the dollars. */
export interface CountedAs {
  readonly group: WhatIfGroup;
  readonly hasWorth: boolean;
}

const ZERO: Rational = { n: 0n, d: 1n };
const STEPS = 120;
const MEASURES: readonly Measure[] = ['edge', 'markout'];
const ENDS = ['was', 'low', 'high'] as const;

export function emptySums(): Sums {
  return {
    better: 0,
    same: 0,
    worse: 0,
    refusedThen: {},
    signedThen: 0,
    refused: 0,
    fills: { was: 0, sure: 0, perhaps: 0 },
    perhapsFilled: 0,
    edge: { ...noEnds(), volume: noEnds() },
    markout: { ...noEnds(), volume: noEnds() },
    unpriced: 0,
  };
}

export function emptyCurve(since: number, until: number): Curve {
  const growth = Array.from({ length: STEPS }, () => ({ edge: noEnds(), markout: noEnds() }));
  return { since, until: Math.max(until, since + 1), growth };
}

/** Adds up what requests came to: into the sums of their pair, and into a curve at the time of each fill. */
export class Adding {
  readonly #sums: Sums;
  readonly #curve: Curve;

  constructor(sums: Sums, curve: Curve) {
    this.#sums = sums;
    this.#curve = curve;
  }

  /** A request that is as it was. */
  asItWas({ code }: QuoteBody, { fills }: Worths): CountedAs {
    if (code !== null) {
      this.#sums.refused += 1;
      return { group: 'refused', hasWorth: false };
    }
    this.#sums.same += 1;
    for (const fill of fills) this.#fill(fill, { is: fill, isSure: true });
    return { group: 'same', hasWorth: fills.length > 0 };
  }

  /** A request that was decided again. */
  judge({ was, code, ask, time }: Judged, { fills, whole, isWithheld }: Worths): CountedAs {
    const sums = this.#sums;
    const isFilled = fills.length > 0;
    if (was.code !== null) {
      if (code !== null || ask === undefined) {
        sums.refused += 1;
        return { group: 'refused', hasWorth: false };
      }
      sums.signedThen += 1;
      this.#perhaps(whole(ask), time);
      return { group: 'signedThen', hasWorth: true };
    }
    const before = { makerAmount: BigInt(was.makerAmount ?? 0), takerAmount: BigInt(was.takerAmount ?? 0) };
    if (code !== null || ask === undefined) {
      sums.refusedThen[code ?? 'internal'] = (sums.refusedThen[code ?? 'internal'] ?? 0) + 1;
      for (const fill of fills) this.#fill(fill, null);
      return { group: 'refusedThen', hasWorth: isFilled };
    }
    // One of the two amounts was asked for, so that one comparison at most is not of equals.
    const isBetter = ask.makerAmount > before.makerAmount || ask.takerAmount < before.takerAmount;
    const isWorse = ask.makerAmount < before.makerAmount || ask.takerAmount > before.takerAmount;
    const group = isBetter ? 'better' : isWorse ? 'worse' : 'same';
    sums[group] += 1;
    for (const fill of fills) {
      this.#fill(fill, { is: group === 'same' ? fill : shareOf(fill, before, ask), isSure: !isWorse });
    }
    const mayBeFilled = isBetter && !isFilled && !isWithheld();
    if (mayBeFilled) this.#perhaps(whole(ask), time);
    return { group, hasWorth: isFilled || mayBeFilled };
  }

  /** A fill as it was, and as it would have been; null where its quote would have been refused. */
  #fill(fill: FillWorth, then: { is: Amounts; isSure: boolean } | null): void {
    const sums = this.#sums;
    sums.fills.was += 1;
    if (then !== null) sums.fills[then.isSure ? 'sure' : 'perhaps'] += 1;
    for (const measure of MEASURES) {
      const was = fill[measure](fill);
      if (was === null) {
        if (measure === 'edge') sums.unpriced += 1;
        continue;
      }
      const is = then === null ? null : fill[measure](then.is);
      this.#add(measure, fill.time, { was, is, isSure: then === null || then.isSure });
    }
  }

  /** A quote that nobody filled and somebody might have, whole or in part. */
  #perhaps(edge: Worth | null, time: number): void {
    this.#sums.perhapsFilled += 1;
    if (edge === null) this.#sums.unpriced += 1;
    else this.#add('edge', time, { was: null, is: edge, isSure: false });
  }

  /** What is not sure is in the low end where it loses, and in the high end where it gains. */
  #add(measure: Measure, time: number, { was, is, isSure }: { was: Worth | null; is: Worth | null; isSure: boolean }) {
    const isLoss = (is?.gain.n ?? 0n) < 0n;
    const ends = { was, low: isSure || isLoss ? is : null, high: isSure || !isLoss ? is : null };
    const band = this.#sums[measure];
    const grown = this.#curve.growth[this.#stepOf(time)]?.[measure];
    for (const end of ENDS) {
      const worth = ends[end];
      if (worth === null) continue;
      band[end] = plus(band[end], worth.gain);
      band.volume[end] = plus(band.volume[end], worth.notional);
      if (grown !== undefined) grown[end] = plus(grown[end], worth.gain);
    }
  }

  #stepOf(time: number): number {
    const { since, until } = this.#curve;
    return Math.max(0, Math.min(STEPS - 1, Math.floor(((time - since) / (until - since)) * STEPS)));
  }
}

/** The same share of another order: what the maker gives is rounded up, and what it gets down. */
function shareOf(fill: Amounts, before: Amounts, ask: Amounts): Amounts {
  const [share, whole] = [fill.takerAmount, before.takerAmount];
  if (whole === 0n) return { makerAmount: 0n, takerAmount: 0n };
  return {
    makerAmount: (ask.makerAmount * share + whole - 1n) / whole,
    takerAmount: (ask.takerAmount * share) / whole,
  };
}

export function signedOf({ better, same, worse, signedThen }: Sums): number {
  return better + same + worse + signedThen;
}

export function addSums(total: Sums, sums: Sums): void {
  for (const name of ['better', 'same', 'worse', 'signedThen', 'refused', 'perhapsFilled', 'unpriced'] as const) {
    total[name] += sums[name];
  }
  for (const name of ['was', 'sure', 'perhaps'] as const) total.fills[name] += sums.fills[name];
  for (const [code, count] of Object.entries(sums.refusedThen)) {
    total.refusedThen[code] = (total.refusedThen[code] ?? 0) + count;
  }
  for (const measure of MEASURES) {
    for (const end of ENDS) {
      total[measure][end] = plus(total[measure][end], sums[measure][end]);
      total[measure].volume[end] = plus(total[measure].volume[end], sums[measure].volume[end]);
    }
  }
}

/** Sums as they are shown, each figure cut by itself from its exact sum. */
export function shownSums({ edge, markout, ...sums }: Sums): WhatIfSums {
  const { better, same, worse, refusedThen, signedThen, refused, fills, perhapsFilled, unpriced } = sums;
  const counts = { better, same, worse, refusedThen, signedThen, refused, fills, perhapsFilled, unpriced };
  return { ...counts, edge: shownBand(edge), markout: shownBand(markout) };
}

function shownBand(band: Band): WhatIfBand {
  const bps = (end: keyof Ends) => tenthBps({ gain: band[end], notional: band.volume[end] });
  return { ...shownEnds(band), bps: { was: bps('was'), low: bps('low'), high: bps('high') } };
}

function shownEnds({ was, low, high }: Ends): WhatIfEnds {
  return { was: dollarText(was), low: dollarText(low), high: dollarText(high) };
}

/** How the sums grew, step by step. */
export function shownCurve({ since, until, growth }: Curve): WhatIfEnd['curve'] {
  const sum = { edge: noEnds(), markout: noEnds() };
  const points = growth.map((step) => {
    for (const measure of MEASURES) {
      for (const end of ENDS) sum[measure][end] = plus(sum[measure][end], step[measure][end]);
    }
    return { edge: shownEnds(sum.edge), markout: shownEnds(sum.markout) };
  });
  return { since, until, points };
}

function noEnds(): Ends {
  return { was: ZERO, low: ZERO, high: ZERO };
}
