import { memo } from 'react';
import { Area, CartesianGrid, ComposedChart, Line, ReferenceLine, XAxis, YAxis } from 'recharts';
import type { BandScene } from './band-scene.ts';

/** What was as a solid line, what would have been as a band with two ends. Drawn anew only when they are others. */
export const BandLines = memo(function BandLines(props: { scene: BandScene; width: number; height: number }) {
  const { scene, width, height } = props;
  const { points, since, until, low, high, moneyTicks, timeTicks, plot } = scene;
  return (
    <ComposedChart
      width={width}
      height={height}
      data={points}
      margin={{ top: plot.top, right: width - plot.right, bottom: height - plot.bottom, left: plot.left }}
      accessibilityLayer={false}
    >
      <XAxis dataKey="time" type="number" domain={[since, until]} ticks={timeTicks} hide />
      <YAxis type="number" domain={[low, high]} ticks={moneyTicks} allowDataOverflow hide />
      <CartesianGrid stroke="var(--chart-grid)" />
      <ReferenceLine y={0} stroke="var(--line-strong)" />
      <Area
        type="linear"
        dataKey="band"
        isAnimationActive={false}
        activeDot={false}
        fill="var(--draft-bg)"
        fillOpacity={1}
        stroke="var(--draft-line)"
        strokeWidth={1}
        strokeDasharray="2 2"
      />
      <Line
        type="linear"
        dataKey="was"
        dot={false}
        activeDot={false}
        isAnimationActive={false}
        stroke="var(--fg-2)"
        strokeWidth={1.6}
      />
    </ComposedChart>
  );
});
