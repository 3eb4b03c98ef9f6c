import { readDecimal, toPixels } from '../../components/figures/decimal-text.ts';
import { totalsOf } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';

/** Price and amount up to there. Pixels only: these are floats. */
export interface DepthPoint {
  price: number;
  total: number;
}

/** The steps of one side from the best level outwards; ends where a level is no number. */
export function depthSteps(levels: LadderValues['bids']): DepthPoint[] {
  const totals = totalsOf(levels);
  const points: DepthPoint[] = [];
  for (const [index, [price]] of levels.entries()) {
    const [read, total] = [readDecimal(price), totals[index]];
    if (read === null || total === null || total === undefined) break;
    points.push({ price: toPixels(read), total: toPixels(total) });
  }
  return points;
}

export interface DepthFrame {
  low: number;
  high: number;
  most: number;
}

/** A frame around all steps, a little wider than they are. */
export function depthFrame(sides: readonly DepthPoint[][]): DepthFrame | null {
  const all = sides.flat();
  if (all.length === 0) return null;
  // A price that was mistyped by a digit must not squeeze all others into a line.
  const middle = all.map(({ price }) => price).sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  const points = all.filter(({ price }) => price > middle / 2 && price < middle * 2);
  const prices = points.map(({ price }) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const margin = (high - low || high * 0.01) * 0.03;
  return { low: low - margin, high: high + margin, most: Math.max(...points.map(({ total }) => total)) || 1 };
}

/** An SVG path of the steps; `close` runs it down to the axis so that it can be filled. */
export function stepPath(
  points: readonly DepthPoint[],
  frame: DepthFrame,
  size: { width: number; height: number },
  outer: number,
  close: boolean,
): string {
  const x = (price: number) => (((price - frame.low) / (frame.high - frame.low)) * size.width).toFixed(1);
  const y = (total: number) => (size.height - (total / frame.most) * size.height * 0.94).toFixed(1);
  const first = points[0];
  if (first === undefined) return '';
  let path = `M${x(first.price)} ${size.height}`;
  let below = size.height.toFixed(1);
  for (const { price, total } of points) {
    path += `L${x(price)} ${below}L${x(price)} ${y(total)}`;
    below = y(total);
  }
  path += `L${x(outer)} ${below}`;
  return close ? `${path}L${x(outer)} ${size.height}Z` : path;
}

/** A round total to draw a line at: 1, 2 or 5 times a power of ten, at most three quarters of the highest. For pixels only. */
export function roundTotal(most: number): number {
  const high = most * 0.75;
  const power = 10 ** Math.floor(Math.log10(high));
  const first = Math.floor(high / power);
  return Number(((first >= 5 ? 5 : first >= 2 ? 2 : 1) * power).toPrecision(1));
}
