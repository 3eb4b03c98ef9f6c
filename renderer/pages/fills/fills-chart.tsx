import { useMemo } from 'react';
import { Bar, BarChart, CartesianGrid, ReferenceLine, Scatter, ScatterChart, XAxis, YAxis } from 'recharts';
import type { FillRow } from '../../../electron/contract/quote-log.ts';
import { clockText, dayText } from '../../components/figures/times.ts';
import { useConsole } from '../../state/console.tsx';
import { useTokenFinder } from '../../state/tokens.ts';
import { useSize } from '../../state/use-size.ts';
import { fillBars, fillPoints } from './fill-points.ts';
import type { FillRange } from './fill-ranges.ts';

const BARS = 76;
/** More marks than this are no picture any more, and cost the chart its frame. */
const MARKS = 400;
const TICK = { fill: 'var(--chart-axis)', fontSize: 11 };
const MARGIN = { top: 10, right: 8, bottom: 0, left: 8 };
const AXIS = 62;

/** Every fill as a triangle at its time and price, the larger the more; below, how many fell into each bar of time. */
export function FillsChart({ fills, range, places }: { fills: readonly FillRow[]; range: FillRange; places: number }) {
  const { desk } = useConsole();
  const find = useTokenFinder();
  const { ref, width, height } = useSize<HTMLDivElement>();
  const to = Math.floor(desk.now() / range.bucketMs) * range.bucketMs;
  const from = to - Math.floor(range.ms / range.bucketMs) * range.bucketMs;
  const points = useMemo(() => fillPoints(fills.slice(0, MARKS), find), [fills, find]);
  const bars = useMemo(() => fillBars(fills, from, to, range), [fills, from, to, range]);
  const domain: [number, number] = [from, to + range.bucketMs];
  const tickText = (time: number) => (range.ms > 86_400_000 ? dayText(time) : clockText(time).slice(0, 5));
  return (
    <div className="fills-chart" ref={ref}>
      {width > 0 && (
        <>
          <ScatterChart width={width} height={Math.max(80, height - BARS)} margin={MARGIN}>
            <CartesianGrid stroke="var(--chart-grid)" />
            <XAxis
              dataKey="time"
              type="number"
              domain={domain}
              tick={TICK}
              tickFormatter={tickText}
              tickLine={false}
              axisLine={false}
              tickCount={7}
            />
            <YAxis
              dataKey="price"
              type="number"
              domain={['auto', 'auto']}
              orientation="right"
              width={AXIS}
              tick={TICK}
              tickLine={false}
              axisLine={false}
              tickFormatter={(price: number) =>
                price.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places })
              }
            />
            <Scatter data={points.bought} fill="var(--bid)" shape={<Triangle up />} isAnimationActive={false} />
            <Scatter data={points.sold} fill="var(--ask)" shape={<Triangle up={false} />} isAnimationActive={false} />
          </ScatterChart>
          <BarChart
            width={width}
            height={BARS}
            data={bars}
            margin={{ ...MARGIN, top: 0 }}
            stackOffset="sign"
            barCategoryGap={1}
          >
            <XAxis dataKey="bucket" tick={false} height={4} axisLine={false} tickLine={false} />
            <YAxis
              orientation="right"
              width={AXIS}
              tick={TICK}
              tickCount={3}
              allowDecimals={false}
              axisLine={false}
              tickLine={false}
              tickFormatter={(count: number) => String(Math.abs(count))}
            />
            <ReferenceLine y={0} stroke="var(--line-strong)" />
            <Bar dataKey="bought" stackId="fills" fill="var(--bid-fill)" isAnimationActive={false} />
            <Bar dataKey="sold" stackId="fills" fill="var(--ask-fill)" isAnimationActive={false} />
          </BarChart>
        </>
      )}
    </div>
  );
}

/** The chart hands each mark its place; its size is its share of the largest fill. */
function Triangle({
  up,
  cx,
  cy,
  fill,
  payload,
}: {
  up: boolean;
  cx?: number;
  cy?: number;
  fill?: string;
  payload?: { size: number };
}) {
  if (cx === undefined || cy === undefined) return null;
  const half = 3 + 4 * Math.sqrt(payload?.size ?? 0);
  const tip = up ? -half : half;
  return <path d={`M${cx} ${cy + tip}L${cx + half} ${cy - tip}L${cx - half} ${cy - tip}Z`} fill={fill} />;
}
