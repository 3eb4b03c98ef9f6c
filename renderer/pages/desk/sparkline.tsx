import { memo } from 'react';
import type { MidPoints } from './use-mids.ts';

const [WIDTH, HEIGHT] = [70, 16];

/** The mid of the last two hours as a line, its newest point marked; two bars where it is not quoted now. */
export const Sparkline = memo(function Sparkline({ points, stopped }: { points: MidPoints; stopped: boolean }) {
  const last = points.at(-1);
  const step = (WIDTH - 8) / Math.max(1, points.length - 1);
  const place = (point: number) => (HEIGHT - 2 - (point / 1_000) * (HEIGHT - 4)).toFixed(1);
  let path = '';
  let drawing = false;
  for (const [index, point] of points.entries()) {
    if (point !== null) path += `${drawing ? 'L' : 'M'}${(index * step).toFixed(1)} ${place(point)}`;
    drawing = point !== null;
  }
  const x = (points.length - 1) * step;
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      <path d={path} />
      {stopped ? (
        <path className="bars-of" d={`M${x + 3} 4v8M${x + 6} 4v8`} />
      ) : (
        last !== undefined && last !== null && <circle cx={x} cy={place(last)} r="1.8" />
      )}
    </svg>
  );
});
