import { memo } from 'react';
import { Bar, BarChart, ReferenceLine, XAxis, YAxis } from 'recharts';
import type { FillBar } from './use-bars.ts';

/**
 * How many fills fell into each bar: bought upwards, sold downwards; grey where they are of all pairs, since those of the chart above
 * have its colours. Drawn anew only when the bars are others.
 */
export const FillBars = memo(function FillBars(props: {
  bars: readonly FillBar[];
  isOfAll: boolean;
  width: number;
  height: number;
}) {
  const { bars, isOfAll, width, height } = props;
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
      <Bar
        dataKey="bought"
        stackId="fills"
        fill={isOfAll ? 'var(--fg-3)' : 'var(--bid-fill)'}
        isAnimationActive={false}
      />
      <Bar
        dataKey="sold"
        stackId="fills"
        fill={isOfAll ? 'var(--fg-3)' : 'var(--ask-fill)'}
        isAnimationActive={false}
      />
    </BarChart>
  );
});
