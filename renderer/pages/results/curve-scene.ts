import type { ResultCurve } from '../../../electron/contract/results.ts';
import { toPixels } from '../../components/figures/decimal-text.ts';
import { readDollars } from './dollars.ts';

/** The lines of the curve, apart by their dash. */
export const LINES = [
  { name: 'edge', text: 'Edge earned', dash: undefined },
  { name: 'markout', text: 'Markout', dash: '6 3' },
  { name: 'inventory', text: 'Inventory', dash: '1.5 2.5' },
  { name: 'costs', text: 'Hedge, gas, fees', dash: '8 3 1.5 3' },
  { name: 'net', text: 'Net', dash: undefined },
] as const;
export type LineName = (typeof LINES)[number]['name'];

export type CurvePoint = { time: number } & Record<LineName, number>;

/** A curve as it is drawn: values for pixels only. */
export interface CurveScene {
  since: number;
  until: number;
  points: CurvePoint[];
  low: number;
  high: number;
  moneyTicks: number[];
  timeTicks: number[];
  /** From here on fills have marks whose time has not come. */
  youngFrom: number | null;
  plot: { left: number; top: number; right: number; bottom: number };
  /** Where the name of each line stands, none over another. */
  ends: { name: LineName; text: string; y: number; at: number }[];
}

const MARGIN = { left: 54, top: 12, right: 164, bottom: 22 };
const LABEL_GAP = 15;
const MINUTE = 60_000;
const SECOND = 1_000;
const TIME_STEPS = [
  ...[1, 5, 10, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1_440, 2_880].map((minutes) => minutes * MINUTE),
];
const MOST_TIMES = 6;
const MOST_AMOUNTS = 6;

/** Returns what the chart draws; null while it has no room. `youngMs` is the last mark's time, where some fill has not reached it. */
export function curveScene(
  curve: ResultCurve,
  youngMs: number | null,
  { width, height }: { width: number; height: number },
): CurveScene | null {
  if (width < MARGIN.left + MARGIN.right + 40 || height < MARGIN.top + MARGIN.bottom + 20) return null;
  const { since, until, points: grown } = curve;
  const step = (until - since) / Math.max(1, grown.length);
  const points = [pointAt(since, null), ...grown.map((point, index) => pointAt(since + (index + 1) * step, point))];
  const values = points.flatMap((point) => LINES.map(({ name }) => point[name]));
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = (highest - lowest || 1) * 0.03;
  const [low, high] = [lowest - (lowest < 0 ? room : 0), highest + room];
  const plot = { left: MARGIN.left, top: MARGIN.top, right: width - MARGIN.right, bottom: height - MARGIN.bottom };
  const yOf = (value: number) => plot.top + ((high - value) / (high - low)) * (plot.bottom - plot.top);
  const last = points.at(-1) ?? pointAt(until, null);
  const named = LINES.map(({ name, text }) => ({ name, text, at: yOf(last[name]), y: yOf(last[name]) }));
  return {
    since,
    until,
    points,
    low,
    high,
    moneyTicks: moneyTicks(low, high),
    timeTicks: timeTicks(since, until),
    youngFrom: youngMs === null ? null : Math.max(since, until - youngMs),
    plot,
    ends: apart(named, plot.bottom),
  };
}

function pointAt(time: number, point: ResultCurve['points'][number] | null): CurvePoint {
  const value = (name: LineName) => (point === null ? 0 : toPixels(readDollars(point[name])));
  return {
    time,
    edge: value('edge'),
    markout: value('markout'),
    inventory: value('inventory'),
    costs: value('costs'),
    net: value('net'),
  };
}

/** Moves names down until none stands over another, and up again where the last one would fall off. */
function apart(ends: CurveScene['ends'], bottom: number): CurveScene['ends'] {
  const sorted = [...ends].sort((a, b) => a.at - b.at);
  let before = Number.NEGATIVE_INFINITY;
  for (const end of sorted) {
    end.y = Math.max(end.at, before + LABEL_GAP);
    before = end.y;
  }
  let after = bottom + LABEL_GAP;
  for (const end of sorted.toReversed()) {
    end.y = Math.min(end.y, after - LABEL_GAP);
    after = end.y;
  }
  return sorted;
}

/** Amounts with round steps: 1, 2 or 5 times a power of ten. */
export function moneyTicks(low: number, high: number): number[] {
  const rough = (high - low) / MOST_AMOUNTS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? rough;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) ticks.push(at * step);
  return ticks;
}

export function timeTicks(since: number, until: number): number[] {
  const step = TIME_STEPS.find((one) => (until - since) / one <= MOST_TIMES) ?? (until - since) / MOST_TIMES;
  const ticks: number[] = [];
  for (let time = Math.ceil(since / step) * step; time <= until; time += step) ticks.push(time);
  return ticks;
}
