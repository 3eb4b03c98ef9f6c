import { numberText } from '../state/number-form.ts';

/** Where a curve of money over time is drawn, and its ticks. Amounts are values for pixels only. */
export interface MoneyFrame {
  since: number;
  until: number;
  low: number;
  high: number;
  moneyTicks: number[];
  timeTicks: number[];
  plot: { left: number; top: number; right: number; bottom: number };
}

const MINUTE = 60_000;
const SECOND = 1_000;
const TIME_STEPS = [
  ...[1, 5, 10, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1_440, 2_880].map((minutes) => minutes * MINUTE),
];
const MOST_TIMES = 6;
const MOST_AMOUNTS = 6;

type Margin = MoneyFrame['plot'];
type Size = { width: number; height: number };

/** Whether a chart has room for more than its margin. */
export function hasRoom({ width, height }: Size, margin: Margin): boolean {
  return width >= margin.left + margin.right + 40 && height >= margin.top + margin.bottom + 20;
}

/** The frame of a stretch whose amounts are these; zero is always in it. `spare`: the part of its height that stays free. */
export function moneyFrame(
  { since, until }: { since: number; until: number },
  values: readonly number[],
  { size: { width, height }, margin, spare }: { size: Size; margin: Margin; spare: number },
): MoneyFrame {
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = (highest - lowest || 1) * spare;
  const [low, high] = [lowest - (lowest < 0 ? room : 0), highest + room];
  return {
    since,
    until,
    low,
    high,
    moneyTicks: moneyTicks(low, high),
    timeTicks: timeTicks(since, until),
    plot: { left: margin.left, top: margin.top, right: width - margin.right, bottom: height - margin.bottom },
  };
}

export function xOf({ since, until, plot }: MoneyFrame, time: number): number {
  return plot.left + ((time - since) / (until - since)) * (plot.right - plot.left);
}

export function yOf({ low, high, plot }: MoneyFrame, value: number): number {
  return plot.top + ((high - value) / (high - low)) * (plot.bottom - plot.top);
}

/** Amounts with round steps: 1, 2 or 5 times a power of ten. */
function moneyTicks(low: number, high: number): number[] {
  const rough = (high - low) / MOST_AMOUNTS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? rough;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) ticks.push(at * step);
  return ticks;
}

function timeTicks(since: number, until: number): number[] {
  const step = TIME_STEPS.find((one) => (until - since) / one <= MOST_TIMES) ?? (until - since) / MOST_TIMES;
  const ticks: number[] = [];
  for (let time = Math.ceil(since / step) * step; time <= until; time += step) ticks.push(time);
  return ticks;
}

/** An amount on the axis: `+400`, `−0.5`, `+20k`. */
export function tickText(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text =
    size >= 10_000
      ? `${numberText(String(Number((size / 1_000).toFixed(1))))}k`
      : numberText(String(Number(size.toFixed(2))));
  return `${value < 0 ? '−' : '+'}${text}`;
}
