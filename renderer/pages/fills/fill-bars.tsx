import { memo } from 'react';
import { Bar, BarChart, ReferenceLine, XAxis, YAxis } from 'recharts';
import type { FillBar } from './use-bars.ts';

/** How many fills fell into each bar: bought upwards, sold downwards. Drawn anew only when the bars are others. */
export const FillBars = memo(function FillBars(props: { bars: readonly FillBar[]; width: number; height: number }) {
  const { bars, width, height } = props;
  return (
    <BarChart
      width={width}
      height={height}
      data={[...bars]}
      margin={{ top: 2, right: 0, bottom: 0, left: 0 }}
      stackOffset="sign"
      barCategoryGap={1}
      accessibilityLayer={false}
    >
      <XAxis dataKey="time" hide />
      <YAxis hide domain={['dataMin', 'dataMax']} />
      <ReferenceLine y={0} stroke="var(--line-strong)" />
      <Bar dataKey="bought" stackId="fills" fill="var(--bid-fill)" isAnimationActive={false} />
      <Bar dataKey="sold" stackId="fills" fill="var(--ask-fill)" isAnimationActive={false} />
    </BarChart>
  );
});
