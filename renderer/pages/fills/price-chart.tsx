import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ReadState } from '../../components/empty.tsx';
import { markText, plural } from '../../components/figures/counts.ts';
import { decimalText } from '../../components/figures/prices.ts';
import { clockText, dayText, stampText } from '../../components/figures/times.ts';
import { useConsole } from '../../state/console.tsx';
import { useTheme } from '../../state/theme.ts';
import { useSize } from '../../state/use-size.ts';
import { NO_END, type Span } from './fill-ranges.ts';
import styles from './price-chart.module.css';
import { fillAt, type PixelFill, type PixelLine, type PriceScene, priceScene } from './price-scene.ts';
import { restAfter, timed } from './rest.ts';

const AXIS = { width: 64, height: 20 };
const STEPS = 400;
const DAY = 86_400_000;

/** Every fill of a pair as a triangle at its time and price, over the prices we quoted and the reference. */
export function PriceChart(props: {
  chainId: number;
  pair: string;
  user: `0x${string}` | undefined;
  counterparty: string | null | undefined;
  base: string;
  span: Span;
  places: number;
}) {
  const { chainId, pair, user, counterparty, base, span, places } = props;
  const { connection, desk, queries } = useConsole();
  const theme = useTheme();
  const [, navigate] = useLocation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { ref, width, height } = useSize<HTMLDivElement>();
  const [under, setUnder] = useState<PixelFill | null>(null);
  const which = { chainId, pair, since: span.since, until: span.until ?? NO_END, ...(user && { user }), counterparty };
  const chart = useQuery({
    queryKey: [...queries.fills.chart.key(), which],
    queryFn: () => timed(() => connection.client.fills.chart({ ...which, steps: STEPS })),
    // Another span of the same pair may stay until the new one is there; another pair's prices never.
    placeholderData: (old, before) => (isOfPair(before?.queryKey, chainId, pair) ? old : undefined),
    refetchInterval: ({ state: { data } }) => restAfter(data),
  });
  const data = chart.data?.value;
  const size = useMemo(
    () => ({ width: Math.max(0, width - AXIS.width), height: Math.max(0, height - AXIS.height) }),
    [width, height],
  );
  const end = span.until ?? data?.reference.at(-1)?.[0] ?? desk.now();
  const scene = useMemo(
    () => (data === undefined ? null : priceScene(data, { since: span.since, until: end }, size)),
    [data, span.since, end, size],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the theme
  useEffect(() => {
    const place = canvas.current;
    if (place === null || scene === null || size.width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    place.width = Math.round(size.width * ratio);
    place.height = Math.round(size.height * ratio);
    drawPrices(place, scene, chartColours(place), ratio);
  }, [scene, size, theme]);
  const find = (event: MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return scene === null ? null : fillAt(scene, event.clientX - box.left, event.clientY - box.top);
  };
  const count = data?.count ?? 0;
  return (
    <div className={styles.chart} ref={ref}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${pair}: ${plural(count, 'fill')} over the prices we quoted and the reference. The table below has each of them.`}
        data-fills={count}
        style={{ width: size.width, height: size.height, cursor: under === null ? 'default' : 'pointer' }}
        onMouseMove={(event) => setUnder(find(event))}
        onMouseLeave={() => setUnder(null)}
        onClick={(event) => {
          const quoteSeq = find(event)?.fill.quoteSeq ?? null;
          if (quoteSeq !== null) navigate(`/firm-log?open=${quoteSeq}`);
        }}
      />
      <ReadState read={chart} rows={8} />
      {scene?.prices.map(({ price, y }) => (
        <span key={price} className={styles.tick} data-axis="price" style={{ top: y }}>
          {price.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places })}
        </span>
      ))}
      {scene?.times
        .filter(({ x }) => x > 24 && x < size.width - 24)
        .map(({ time, x }) => (
          <span key={time} className={styles.tick} data-axis="time" style={{ left: x, top: size.height + 4 }}>
            {end - span.since > DAY * 2 ? dayText(time) : clockText(time).slice(0, end - span.since < 600_000 ? 8 : 5)}
          </span>
        ))}
      {data !== undefined && count > data.fills.length && (
        <p className={`${styles.note} quiet`}>
          The newest {data.fills.length} of {plural(count, 'fill')} are drawn: choose less time to see all.
        </p>
      )}
      {under !== null && (
        <div
          className={styles.tip}
          style={{
            left: Math.min(under.x + 12, Math.max(0, size.width - 190)),
            top: Math.max(0, under.y - 64),
          }}
        >
          <b>
            {under.fill.side === 'bids' ? '▲ we bought' : '▼ we sold'} {decimalText(under.fill.base, 4)} {base}
          </b>
          <br />
          at {decimalText(under.fill.price, places, under.fill.side === 'bids' ? 'up' : 'down')} · edge{' '}
          {markText(under.fill.edge)} bps
          <br />
          <span className="quiet">{stampText(under.fill.time)} UTC · click opens its quote</span>
        </div>
      )}
    </div>
  );
}

function isOfPair(key: readonly unknown[] | undefined, chainId: number, pair: string): boolean {
  const which = key?.at(-1);
  return (
    typeof which === 'object' &&
    which !== null &&
    'chainId' in which &&
    which.chainId === chainId &&
    'pair' in which &&
    which.pair === pair
  );
}

/** The colours of the theme that is on, as CSS has them. */
interface ChartColours {
  grid: string;
  axis: string;
  bid: string;
  ask: string;
  reference: string;
}

function chartColours(element: Element): ChartColours {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    grid: token('--chart-grid'),
    axis: token('--chart-axis'),
    bid: token('--bid'),
    ask: token('--ask'),
    reference: token('--fg-2'),
  };
}

/** Draws the scene; `ratio` is how many pixels of the screen a CSS pixel has. */
function drawPrices(canvas: HTMLCanvasElement, scene: PriceScene, colours: ChartColours, ratio: number): void {
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const [width, height] = [canvas.width / ratio, canvas.height / ratio];
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.lineWidth = 1;
  pen.strokeStyle = colours.grid;
  pen.beginPath();
  for (const { y } of scene.prices) {
    pen.moveTo(0, Math.round(y) + 0.5);
    pen.lineTo(width, Math.round(y) + 0.5);
  }
  for (const { x } of scene.times) {
    pen.moveTo(Math.round(x) + 0.5, 0);
    pen.lineTo(Math.round(x) + 0.5, height);
  }
  pen.stroke();
  steps(pen, scene.bid, colours.bid);
  steps(pen, scene.ask, colours.ask);
  pen.setLineDash([1.5, 3]);
  pen.lineWidth = 1.5;
  straight(pen, scene.reference, colours.reference);
  pen.setLineDash([]);
  // The newest fills come last, so that they lie on top.
  for (let index = scene.fills.length - 1; index >= 0; index -= 1) {
    const mark = scene.fills[index];
    if (mark === undefined) continue;
    const tip = mark.fill.side === 'bids' ? -mark.half : mark.half;
    pen.fillStyle = mark.fill.side === 'bids' ? colours.bid : colours.ask;
    pen.beginPath();
    pen.moveTo(mark.x, mark.y + tip);
    pen.lineTo(mark.x + mark.half, mark.y - tip);
    pen.lineTo(mark.x - mark.half, mark.y - tip);
    pen.closePath();
    pen.fill();
  }
}

/** A published price holds until the next one: it goes level, then up or down. */
function steps(pen: CanvasRenderingContext2D, line: PixelLine, colour: string): void {
  trace(pen, line, colour, (before, point) => {
    pen.lineTo(point.x, before.y);
    pen.lineTo(point.x, point.y);
  });
}

function straight(pen: CanvasRenderingContext2D, line: PixelLine, colour: string): void {
  trace(pen, line, colour, (_before, point) => pen.lineTo(point.x, point.y));
}

type Point = { x: number; y: number };

function trace(
  pen: CanvasRenderingContext2D,
  line: PixelLine,
  colour: string,
  join: (before: Point, point: Point) => void,
): void {
  pen.strokeStyle = colour;
  pen.beginPath();
  let before: Point | null = null;
  for (const point of line) {
    if (point !== null && before === null) pen.moveTo(point.x, point.y);
    else if (point !== null && before !== null) join(before, point);
    before = point;
  }
  pen.stroke();
}
