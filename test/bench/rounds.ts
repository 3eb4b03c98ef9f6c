import type { LoadResult } from './load.ts';
import { median } from './statistics.ts';

/**
 * Runs each in turn, again and again, after one round that counts for nothing: the machine's speed drifts, so only runs
 * of the same round are compared.
 */
export async function interleaved<Name extends string, Result extends LoadResult>(
  rounds: number,
  runs: Record<Name, () => Promise<Result>>,
): Promise<Record<Name, Result>[]> {
  const done: Record<Name, Result>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const results: [string, Result][] = [];
    for (const [name, run] of Object.entries<() => Promise<Result>>(runs)) results.push([name, await run()]);
    if (round > 0) done.push(Object.fromEntries(results) as Record<Name, Result>);
  }
  return done;
}

/** The median over the rounds of one run's answers a second as a multiple of another's. */
export function ratioOf<Name extends string>(rounds: Record<Name, LoadResult>[], of: Name, to: Name): number {
  return median(rounds.map((round) => round[of].perSecond / round[to].perSecond));
}

/** Medians of one run, in words and figures. */
export function summaryOf<Name extends string>(rounds: Record<Name, LoadResult>[], name: Name) {
  const of = (figure: 'perSecond' | 'p50Ms' | 'p99Ms') => median(rounds.map((round) => round[name][figure]));
  const figures = { perSecond: Math.round(of('perSecond')), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') };
  return { figures, text: `${figures.perSecond.toLocaleString('en')}/s, p99 ${figures.p99Ms.toFixed(1)} ms` };
}
