import type { WhatIfEnd } from '../../../electron/contract/what-if.ts';
import { toPixels } from '../../components/figures/decimal-text.ts';
import { moneyTicks, timeTicks } from '../results/curve-scene.ts';
import { readDollars } from '../results/dollars.ts';

export type Measure = 'edge' | 'markout';

/** What was, and between which two it would have been: values for pixels only. */
interface BandPoint {
  time: number;
  was: number;
  band: [low: number, high: number];
}

/** A stretch as it is drawn: what was as a line, what would have been as a band, and where protections would have stopped. */
export interface BandScene {
  since: number;
  until: number;
  points: BandPoint[];
  low: number;
  high: number;
  moneyTicks: number[];
  timeTicks: number[];
  plot: { left: number; top: number; right: number; bottom: number };
  /** Where the stop of each number stands. */
  stops: { number: number; x: number; y: number }[];
}

const MARGIN = { left: 14, top: 20, right: 58, bottom: 22 };

/** Returns what the chart draws; null while it has no room. `stops` are the times of those that have numbers, in their order. */
export function bandScene(
  curve: WhatIfEnd['curve'],
  measure: Measure,
  stops: readonly number[],
  { width, height }: { width: number; height: number },
): BandScene | null {
  if (width < MARGIN.left + MARGIN.right + 40 || height < MARGIN.top + MARGIN.bottom + 20) return null;
  const { since, until, points: grown } = curve;
  const step = (until - since) / Math.max(1, grown.length);
  const points: BandPoint[] = [
    { time: since, was: 0, band: [0, 0] },
    ...grown.map(({ [measure]: ends }, index): BandPoint => {
      const value = (end: 'was' | 'low' | 'high') => toPixels(readDollars(ends[end]));
      return { time: since + (index + 1) * step, was: value('was'), band: [value('low'), value('high')] };
    }),
  ];
  const values = points.flatMap(({ was, band }) => [was, ...band]);
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = (highest - lowest || 1) * 0.04;
  const [low, high] = [lowest - (lowest < 0 ? room : 0), highest + room];
  const plot = { left: MARGIN.left, top: MARGIN.top, right: width - MARGIN.right, bottom: height - MARGIN.bottom };
  const x = (time: number) => plot.left + ((time - since) / (until - since)) * (plot.right - plot.left);
  const y = (value: number) => plot.top + ((high - value) / (high - low)) * (plot.bottom - plot.top);
  return {
    since,
    until,
    points,
    low,
    high,
    moneyTicks: moneyTicks(low, high),
    timeTicks: timeTicks(since, until),
    plot,
    stops: stops.map((time, index) => {
      const at = Math.max(0, Math.min(points.length - 1, Math.round((time - since) / step)));
      return { number: index + 1, x: x(Math.max(since, Math.min(until, time))), y: y(points[at]?.band[0] ?? 0) };
    }),
  };
}
