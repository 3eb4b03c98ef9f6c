import type { Source } from './sources.ts';

/** A hop is divided into parts of this many percent. */
const STEP_PERCENT = 5;
const STEPS = BigInt(100 / STEP_PERCENT);

/** A part of a hop, in raw units. */
export interface Leg {
  source: Source;
  amountIn: bigint;
  amountOut: bigint;
  /** Of the amount that is exact. */
  percent: number;
}

/** All of a hop through one source; null when it is not deep enough. */
export function wholeLeg(source: Source, exact: 'in' | 'out', amount: bigint): Leg | null {
  const other = otherAmount(source, exact, amount);
  return other === null ? null : legOf(source, exact, amount, other, 100);
}

/** The hop divided over its sources, each next part to the source that does best with it; null when all are too shallow. */
export function splitHop(sources: readonly Source[], exact: 'in' | 'out', amount: bigint): Leg[] | null {
  const steps = sources.map(() => 0n);
  const part = (count: bigint) => (amount * count) / STEPS;
  for (let step = 0n; step < STEPS; step += 1n) {
    const best = bestFor(sources, steps, exact, part);
    if (best === null) return null;
    steps[best] = (steps[best] ?? 0n) + 1n;
  }
  let left = amount;
  const used = sources.flatMap((source, index) =>
    (steps[index] ?? 0n) > 0n ? [{ source, count: steps[index] ?? 0n }] : [],
  );
  const legs: Leg[] = [];
  for (const [index, { source, count }] of used.entries()) {
    const own = index === used.length - 1 ? left : part(count);
    left -= own;
    const other = otherAmount(source, exact, own);
    if (other === null) return null;
    legs.push(legOf(source, exact, own, other, Number(count) * STEP_PERCENT));
  }
  return legs;
}

/** Which source does best with one more part; those that are not deep enough for it do not count. */
function bestFor(
  sources: readonly Source[],
  steps: readonly bigint[],
  exact: 'in' | 'out',
  part: (count: bigint) => bigint,
): number | null {
  let best: { index: number; gain: bigint } | null = null;
  for (const [index, source] of sources.entries()) {
    const count = steps[index] ?? 0n;
    const before = count === 0n ? 0n : otherAmount(source, exact, part(count));
    const after = otherAmount(source, exact, part(count + 1n));
    if (before === null || after === null) continue;
    const gain = exact === 'in' ? after - before : before - after;
    if (best === null || gain > best.gain) best = { index, gain };
  }
  return best?.index ?? null;
}

function otherAmount(source: Source, exact: 'in' | 'out', amount: bigint): bigint | null {
  if (amount <= 0n) return 0n;
  return exact === 'in' ? source.gives(amount) : source.wants(amount);
}

function legOf(source: Source, exact: 'in' | 'out', amount: bigint, other: bigint, percent: number): Leg {
  const [amountIn, amountOut] = exact === 'in' ? [amount, other] : [other, amount];
  return { source, amountIn, amountOut, percent };
}
