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
  const points = sides.flat();
  if (points.length === 0) return null;
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
