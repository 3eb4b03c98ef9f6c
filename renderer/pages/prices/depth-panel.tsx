import { memo, useMemo } from 'react';
import { TextButton } from '../../components/button.tsx';
import { Age } from '../../components/figures/age.tsx';
import { groupedText, readDecimal, toPixels, withPlaces } from '../../components/figures/decimal-text.ts';
import { decimalText } from '../../components/figures/prices.ts';
import { Panel } from '../../components/panel.tsx';
import { useSize } from '../../state/use-size.ts';
import styles from './depth-panel.module.css';
import { totalsOf } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';
import { usePairPart } from './use-draft.ts';

const SIDES = ['bids', 'asks'] as const;
const AXIS = 18;
/** From where on a price in the middle of the axis has room beside those at its ends. CSS pixels. */
const EDGE = 100;

/** Amount against price, both sides: the draft hatched, what is live dashed where it differs, the reference between them. */
export const DepthPanel = memo(function DepthPanel(props: {
  draft: LadderValues;
  live: LadderValues;
  base: string;
  reference: string | null;
  pricePlaces: number;
  chainId: number;
  pair: string;
  /** Shows where the reference comes from; null where the pair has none. */
  onSources: (() => void) | null;
}) {
  const { draft, live, base, reference, pricePlaces } = props;
  const { ref, width, height } = useSize<HTMLDivElement>('depth');
  const { steps, frame } = useMemo(() => {
    const made = {
      draft: { bids: depthSteps(draft.bids), asks: depthSteps(draft.asks) },
      live: { bids: depthSteps(live.bids), asks: depthSteps(live.asks) },
    };
    return { steps: made, frame: depthFrame([made.draft.bids, made.draft.asks, made.live.bids, made.live.asks]) };
  }, [draft, live]);
  const size = { width, height: Math.max(0, height - AXIS) };
  const differs = JSON.stringify(draft) !== JSON.stringify(live);
  const read = reference === null ? null : readDecimal(reference);
  const mid = read === null ? null : toPixels(read);
  const midAt = mid === null || frame === null || mid <= frame.low || mid >= frame.high ? null : xOf(mid, frame, width);
  const line = frame === null ? 0 : roundTotal(frame.most);
  return (
    <Panel
      name="Depth"
      aside={<span className={styles.key}>{differs ? 'hatched: draft · dashed: live' : base}</span>}
      actions={
        props.onSources !== null && (
          <TextButton className="quiet" title="Where the reference comes from" onClick={props.onSources}>
            ref <b className="strong live-figure">{reference === null ? '—' : decimalText(reference, pricePlaces)}</b>{' '}
            <ReferenceAge chainId={props.chainId} pair={props.pair} />
          </TextButton>
        )
      }
      className={styles.depth}
    >
      <div className={styles.figure} ref={ref}>
        {frame !== null && width > 0 && (
          <svg width={width} height={height} role="img" aria-label={`Depth: ${allText(draft, base)}`}>
            <defs>
              {SIDES.map((side) => (
                <pattern
                  key={side}
                  id={`hatch-${side}`}
                  width="6"
                  height="6"
                  patternUnits="userSpaceOnUse"
                  patternTransform={`rotate(${side === 'bids' ? 45 : -45})`}
                >
                  <line x1="0" y1="0" x2="0" y2="6" className={styles.hatch} data-side={side} />
                </pattern>
              ))}
            </defs>
            {line > 0 && (
              <line
                className={styles.axis}
                x1="0"
                x2={width}
                y1={size.height * (1 - (line / frame.most) * 0.94)}
                y2={size.height * (1 - (line / frame.most) * 0.94)}
              />
            )}
            {SIDES.map((side) => {
              const outer = side === 'bids' ? frame.low : frame.high;
              const area = stepPath(steps.draft[side], frame, size, outer, true);
              return (
                <g key={side}>
                  <path className={styles.area} data-side={side} d={area} />
                  <path fill={`url(#hatch-${side})`} d={area} />
                  <path
                    className={styles.outline}
                    data-side={side}
                    d={stepPath(steps.draft[side], frame, size, outer, false)}
                  />
                  {differs && <path className={styles.was} d={stepPath(steps.live[side], frame, size, outer, false)} />}
                </g>
              );
            })}
            {midAt !== null && <line className={styles.reference} x1={midAt} x2={midAt} y1="0" y2={size.height} />}
            <line className={styles.axis} x1="0" x2={width} y1={size.height} y2={size.height} />
            {line > 0 && (
              <text x="2" y={size.height * (1 - (line / frame.most) * 0.94) - 3}>
                {line} {base}
              </text>
            )}
            {midAt !== null && midAt > EDGE && midAt < width - EDGE && (
              <text x={midAt} y={height - 4} textAnchor="middle">
                {edgeText(mid ?? 0, pricePlaces)}
              </text>
            )}
            <text x="2" y={height - 4}>
              {edgeText(frame.low, pricePlaces)}
            </text>
            <text x={width - 2} y={height - 4} textAnchor="end">
              {edgeText(frame.high, pricePlaces)}
            </text>
          </svg>
        )}
        {frame === null && <p className="quiet">No levels yet.</p>}
      </div>
    </Panel>
  );
});

/** How old the reference is, drawn by itself: the chart is not drawn anew for it. */
function ReferenceAge({ chainId, pair }: { chainId: number; pair: string }) {
  const time = usePairPart(chainId, pair, (row) => row.reference?.time) ?? null;
  const isStale = usePairPart(chainId, pair, (row) => row.reference?.stale) === true;
  if (time === null) return null;
  return (
    <span className={isStale ? 'stop' : ''}>
      <Age since={time} />
    </span>
  );
}

function xOf(price: number, frame: { low: number; high: number }, width: number): number {
  return ((price - frame.low) / (frame.high - frame.low)) * width;
}

/** A place on the axis, no price. */
function edgeText(price: number, places: number): string {
  const read = readDecimal(price.toFixed(Math.min(places, 8)));
  return read === null ? '' : groupedText(read);
}

function allText(draft: LadderValues, base: string): string {
  const total = (side: 'bids' | 'asks') => {
    const last = totalsOf(draft[side]).at(-1);
    return last === undefined || last === null
      ? 'none'
      : `${groupedText(withPlaces(last, Math.min(last.places, 4), 'down'))} ${base}`;
  };
  return `bids ${total('bids')}, asks ${total('asks')}`;
}

/** Price and amount up to there. Pixels only: these are floats. */
interface DepthPoint {
  price: number;
  total: number;
}

/** The steps of one side from the best level outwards; ends where a level is no number. */
function depthSteps(levels: LadderValues['bids']): DepthPoint[] {
  const totals = totalsOf(levels);
  const points: DepthPoint[] = [];
  for (const [index, [price]] of levels.entries()) {
    const [read, total] = [readDecimal(price), totals[index]];
    if (read === null || total === null || total === undefined) break;
    points.push({ price: toPixels(read), total: toPixels(total) });
  }
  return points;
}

interface DepthFrame {
  low: number;
  high: number;
  most: number;
}

/** A frame around all steps, a little wider than they are. */
function depthFrame(sides: readonly DepthPoint[][]): DepthFrame | null {
  const all = sides.flat();
  if (all.length === 0) return null;
  // A price that was mistyped by a digit must not squeeze all others into a line.
  const middle = all.map(({ price }) => price).sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  const points = all.filter(({ price }) => price > middle / 2 && price < middle * 2);
  const prices = points.map(({ price }) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const margin = (high - low || high * 0.01) * 0.03;
  return { low: low - margin, high: high + margin, most: Math.max(...points.map(({ total }) => total)) || 1 };
}

/** An SVG path of the steps; `close` runs it down to the axis so that it can be filled. */
function stepPath(
  points: readonly DepthPoint[],
  frame: DepthFrame,
  size: { width: number; height: number },
  outer: number,
  close: boolean,
): string {
  const x = (price: number) => (((price - frame.low) / (frame.high - frame.low)) * size.width).toFixed(1);
  const y = (total: number) => (size.height - (total / frame.most) * size.height * 0.94).toFixed(1);
  const first = points[0];
  if (first === undefined) return '';
  let path = `M${x(first.price)} ${size.height}`;
  let below = size.height.toFixed(1);
  for (const { price, total } of points) {
    path += `L${x(price)} ${below}L${x(price)} ${y(total)}`;
    below = y(total);
  }
  path += `L${x(outer)} ${below}`;
  return close ? `${path}L${x(outer)} ${size.height}Z` : path;
}

/** A round total to draw a line at: 1, 2 or 5 times a power of ten, at most three quarters of the highest. For pixels only. */
function roundTotal(most: number): number {
  const high = most * 0.75;
  const power = 10 ** Math.floor(Math.log10(high));
  const first = Math.floor(high / power);
  return Number(((first >= 5 ? 5 : first >= 2 ? 2 : 1) * power).toPrecision(1));
}
