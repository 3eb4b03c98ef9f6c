import { memo } from 'react';
import { Line, LineChart, ReferenceArea } from 'recharts';
import { MoneyAxes, marginOf } from '../../components/money-axes.tsx';
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
  const { points, until, youngFrom } = scene;
  return (
    <LineChart
      width={width}
      height={height}
      data={points}
      margin={marginOf(scene, { width, height })}
      accessibilityLayer={false}
    >
      {youngFrom !== null && (
        <ReferenceArea x1={youngFrom} x2={until} fill="var(--bg-2)" fillOpacity={1} stroke="none" zIndex={-200} />
      )}
      <MoneyAxes frame={scene} />
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
