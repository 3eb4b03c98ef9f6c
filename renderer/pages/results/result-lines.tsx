import { memo } from 'react';
import { CartesianGrid, Line, LineChart, ReferenceArea, ReferenceLine, XAxis, YAxis } from 'recharts';
import { type CurveScene, LINES } from './curve-scene.ts';

/** The lines of a result over time, each with its own dash; the net is the only bold one. Drawn anew only when they are others. */
export const ResultLines = memo(function ResultLines({
  scene,
  width,
  height,
}: {
  scene: CurveScene;
  width: number;
  height: number;
}) {
  const { points, since, until, low, high, moneyTicks, timeTicks, youngFrom, plot } = scene;
  return (
    <LineChart
      width={width}
      height={height}
      data={points}
      margin={{ top: plot.top, right: width - plot.right, bottom: height - plot.bottom, left: plot.left }}
      accessibilityLayer={false}
    >
      <XAxis dataKey="time" type="number" domain={[since, until]} ticks={timeTicks} hide />
      <YAxis type="number" domain={[low, high]} ticks={moneyTicks} allowDataOverflow hide />
      {youngFrom !== null && (
        <ReferenceArea x1={youngFrom} x2={until} fill="var(--bg-2)" fillOpacity={1} stroke="none" zIndex={-200} />
      )}
      <CartesianGrid stroke="var(--chart-grid)" />
      <ReferenceLine y={0} stroke="var(--line-strong)" />
      {LINES.map(({ name, dash }) => (
        <Line
          key={name}
          type="stepAfter"
          dataKey={name}
          dot={false}
          activeDot={false}
          isAnimationActive={false}
          stroke={name === 'net' ? 'var(--fg-1)' : 'var(--chart-axis)'}
          strokeWidth={name === 'net' ? 2 : 1.25}
          strokeDasharray={dash}
        />
      ))}
    </LineChart>
  );
});
