import { memo } from 'react';
import { Area, ComposedChart, Line } from 'recharts';
import { MoneyAxes, marginOf } from '../../components/money-axes.tsx';
import type { BandScene } from './band-scene.ts';

/** What was as a solid line, what would have been as a band with two ends. Drawn anew only when they are others. */
export const BandLines = memo(function BandLines(props: { scene: BandScene; width: number; height: number }) {
  const { scene, width, height } = props;
  return (
    <ComposedChart
      width={width}
      height={height}
      data={scene.points}
      margin={marginOf(scene, { width, height })}
      accessibilityLayer={false}
    >
      <MoneyAxes frame={scene} />
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
