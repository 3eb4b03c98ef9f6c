import type { Address } from '../../protocol/address.ts';
import type { SwapSide } from '../../protocol/market-wire.ts';
import { shareOf } from '../basis-points.ts';
import type { Source } from './sources.ts';
import { afterTax, beforeTax, isTaxed, type SwapTaxes, taxedSource } from './swap-taxes.ts';

/** What a user asks the price of; `amount` in raw units of the token that `side` fixes. */
export interface PriceAsk {
  side: SwapSide;
  amount: bigint;
  from: Address;
  to: Address;
  taxes: SwapTaxes;
  /** All fees together. */
  feeBps: number;
}

/** A way through the market with its price. */
export interface PricedPath {
  hops: Leg[][];
  /** What the user gives and gets, after taxes and fees. */
  srcAmount: bigint;
  destAmount: bigint;
}

/** What comes in at the first hop of a SELL, or must come out of the last of a BUY. */
function beyondTax({ side, amount, taxes }: PriceAsk): bigint {
  return side === 'SELL' ? afterTax(amount, taxes.src) : beforeTax(amount, taxes.dest);
}

/** The amount that is not fixed, after taxes and fees, when `moved` raw units leave the last hop (SELL) or enter the first (BUY). */
export function otherEnd({ side, taxes, feeBps }: Pick<PriceAsk, 'side' | 'taxes' | 'feeBps'>, moved: bigint): bigint {
  const fee = shareOf(moved, feeBps);
  return side === 'SELL' ? afterTax(moved - fee, taxes.dest) : beforeTax(moved + fee, taxes.src);
}

/** Prices a path, hop by hop from the end that is fixed; null when it is not deep enough or the amount comes to nothing. */
export function pricePath(
  ask: PriceAsk,
  path: readonly Address[],
  sources: readonly Source[],
  mode: 'split' | 'whole',
): PricedPath | null {
  const { side } = ask;
  const exact = side === 'SELL' ? 'in' : 'out';
  const pairs = path.slice(1).map((tokenOut, index) => ({ tokenIn: path[index], tokenOut }));
  const hops: Leg[][] = [];
  let amount = beyondTax(ask);
  for (const { tokenIn, tokenOut } of side === 'SELL' ? pairs : pairs.reverse()) {
    const here = sources
      .filter((source) => source.tokenIn === tokenIn && source.tokenOut === tokenOut)
      .map((source) => taxedSource(source, ask.from, ask.to, ask.taxes));
    const legs = mode === 'split' ? splitHop(here, exact, amount) : bestWhole(here, exact, amount);
    if (legs === null) return null;
    hops.push(legs);
    amount = legs.reduce((sum, { amountIn, amountOut }) => sum + (exact === 'in' ? amountOut : amountIn), 0n);
    if (amount === 0n) return null;
  }
  const other = otherEnd(ask, amount);
  if (other === 0n) return null;
  return side === 'SELL'
    ? { hops, srcAmount: ask.amount, destAmount: other }
    : { hops: hops.reverse(), srcAmount: other, destAmount: ask.amount };
}

function bestWhole(sources: readonly Source[], exact: 'in' | 'out', amount: bigint): Leg[] | null {
  const legs = sources.flatMap((source) => wholeLeg(source, exact, amount) ?? []);
  const [best] = legs.sort((a, b) => (betterLeg(exact, a, b) ? -1 : 1));
  return best === undefined ? null : [best];
}

function betterLeg(exact: 'in' | 'out', a: Leg, b: Leg): boolean {
  return exact === 'in' ? a.amountOut > b.amountOut : a.amountIn < b.amountIn;
}

/** Whether one path is better for the user than another. */
export function isBetter(side: SwapSide, a: PricedPath, b: PricedPath): boolean {
  return side === 'SELL' ? a.destAmount > b.destAmount : a.srcAmount < b.srcAmount;
}

/** Whether a direct contract method may settle it: those of a BUY know no taxes. */
export function fitsDirectMethod({ side, taxes }: PriceAsk): boolean {
  return side === 'SELL' || !isTaxed(taxes);
}

/** A hop is divided into parts of this many percent. */
const STEP_PERCENT = 5;
const STEPS = BigInt(100 / STEP_PERCENT);

/** A part of a hop, in raw units. */
interface Leg {
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
