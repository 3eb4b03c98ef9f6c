import type { WhatIfEnd } from '../../../electron/contract/what-if.ts';
import { toPixels } from '../../components/figures/decimal-text.ts';
import { hasRoom, type MoneyFrame, moneyFrame, xOf, yOf } from '../../components/money-frame.ts';
import { readDollars } from '../results/dollars.ts';

export type Measure = 'edge' | 'markout';

/** What was, and between which two it would have been: values for pixels only. */
interface BandPoint {
  time: number;
  was: number;
  band: [low: number, high: number];
}

/** A stretch as it is drawn: what was as a line, what would have been as a band, and where protections would have stopped. */
export interface BandScene extends MoneyFrame {
  points: BandPoint[];
  /** Where the stop of each number stands. */
  stops: { number: number; x: number; y: number }[];
}

const MARGIN = { left: 14, top: 20, right: 58, bottom: 22 };

/** Returns what the chart draws; null while it has no room. `stops` are the times of those that have numbers, in their order. */
export function bandScene(
  curve: WhatIfEnd['curve'],
  measure: Measure,
  stops: readonly number[],
  size: { width: number; height: number },
): BandScene | null {
  if (!hasRoom(size, MARGIN)) return null;
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
  const frame = moneyFrame({ since, until }, values, { size, margin: MARGIN, spare: 0.04 });
  return {
    ...frame,
    points,
    stops: stops.map((time, index) => {
      const at = Math.max(0, Math.min(points.length - 1, Math.round((time - since) / step)));
      const x = xOf(frame, Math.max(since, Math.min(until, time)));
      return { number: index + 1, x, y: yOf(frame, points[at]?.band[0] ?? 0) };
    }),
  };
}
