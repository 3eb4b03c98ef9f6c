import { CartesianGrid, ReferenceLine, XAxis, YAxis } from 'recharts';
import type { MoneyFrame } from './money-frame.ts';

/** The grid of a curve of money, with its zero. Their words are no part of the drawing: see MoneyCurve. */
export function MoneyAxes({ frame }: { frame: MoneyFrame }) {
  const { since, until, low, high, moneyTicks, timeTicks } = frame;
  return (
    <>
      <XAxis dataKey="time" type="number" domain={[since, until]} ticks={timeTicks} hide />
      <YAxis type="number" domain={[low, high]} ticks={moneyTicks} allowDataOverflow hide />
      <CartesianGrid stroke="var(--chart-grid)" />
      <ReferenceLine y={0} stroke="var(--line-strong)" />
    </>
  );
}

/** The margin that puts a chart of this size into its frame. */
export function marginOf({ plot }: MoneyFrame, { width, height }: { width: number; height: number }) {
  return { top: plot.top, right: width - plot.right, bottom: height - plot.bottom, left: plot.left };
}
