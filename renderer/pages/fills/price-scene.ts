import { readDecimal, toPixels } from '../../components/figures/decimal-text.ts';

/** A fill as the desk places it. */
export interface PlacedFill {
  seq: number;
  quoteSeq: number | null;
  time: number;
  side: 'bids' | 'asks';
  price: string;
  base: string;
  edge: number | 'not_yet' | null;
}
type Line = readonly (readonly [number, string | null])[];
export interface ChartData {
  reference: Line;
  bid: Line;
  ask: Line;
  fills: readonly PlacedFill[];
  count: number;
}

/** A point on the canvas, null where a line breaks off. Floats: pixels only. */
export type PixelLine = readonly ({ x: number; y: number } | null)[];
export interface PixelFill {
  fill: PlacedFill;
  x: number;
  y: number;
  /** Half of the triangle's side. */
  half: number;
}
export interface PriceScene {
  reference: PixelLine;
  bid: PixelLine;
  ask: PixelLine;
  fills: readonly PixelFill[];
  prices: readonly { y: number; price: number }[];
  times: readonly { x: number; time: number }[];
}

const SMALLEST = 3;
const LARGEST = 8;
const MARGIN = 0.06;
const PRICE_STEPS = 5;
const TIME_STEPS = 6;
const TIME_UNITS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400];

/** Places everything on a canvas of this size, from `since` to `until`. */
export function priceScene(
  data: ChartData,
  span: { since: number; until: number },
  size: { width: number; height: number },
): PriceScene {
  const value = (text: string) => {
    const read = readDecimal(text);
    return read === null ? Number.NaN : toPixels(read);
  };
  const line = (points: Line) => points.map(([time, price]) => ({ time, price: price === null ? null : value(price) }));
  const [reference, bid, ask] = [line(data.reference), line(data.bid), line(data.ask)];
  const fills = data.fills.map((fill) => ({ fill, price: value(fill.price), amount: value(fill.base) }));
  const all = [...reference, ...bid, ...ask].flatMap(({ price }) => (price === null ? [] : [price]));
  for (const { price } of fills) all.push(price);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const price of all) {
    if (price < low) low = price;
    if (price > high) high = price;
  }
  if (low > high) [low, high] = [0, 1];
  const room = (high - low || Math.abs(high) * 0.001 || 1) * MARGIN;
  [low, high] = [low - room, high + room];
  const x = (time: number) => ((time - span.since) / Math.max(1, span.until - span.since)) * size.width;
  const y = (price: number) => size.height - ((price - low) / (high - low)) * size.height;
  const pixels = (points: { time: number; price: number | null }[]) =>
    points.map(({ time, price }) => (price === null ? null : { x: x(time), y: y(price) }));
  let most = 0;
  for (const { amount } of fills) if (amount > most) most = amount;
  return {
    reference: pixels(reference),
    bid: pixels(bid),
    ask: pixels(ask),
    fills: fills.map(({ fill, price, amount }) => ({
      fill,
      x: x(fill.time),
      y: y(price),
      half: SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(most === 0 ? 0 : amount / most),
    })),
    prices: evenSteps(low, high, PRICE_STEPS).map((price) => ({ price, y: y(price) })),
    times: evenTimes(span).map((time) => ({ time, x: x(time) })),
  };
}

/** Round figures between two others, about so many. */
export function evenSteps(low: number, high: number, about: number): number[] {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((by) => by * power).find((candidate) => candidate >= rough) ?? rough;
  const steps: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) steps.push(at * step);
  return steps;
}

function evenTimes({ since, until }: { since: number; until: number }): number[] {
  const rough = (until - since) / 1_000 / TIME_STEPS;
  const step = (TIME_UNITS.find((unit) => unit >= rough) ?? 86_400 * Math.ceil(rough / 86_400)) * 1_000;
  const times: number[] = [];
  for (let time = Math.ceil(since / step) * step; time <= until; time += step) times.push(time);
  return times;
}

/** The fill drawn last under a point, if any. */
export function fillAt(scene: PriceScene, x: number, y: number): PixelFill | null {
  let found: PixelFill | null = null;
  for (const fill of scene.fills) {
    if (Math.abs(fill.x - x) <= fill.half + 3 && Math.abs(fill.y - y) <= fill.half + 3) found ??= fill;
  }
  return found;
}
