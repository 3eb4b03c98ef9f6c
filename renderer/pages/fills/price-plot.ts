import {
  type AutoscaleInfo,
  ColorType,
  CrosshairMode,
  createChart,
  type IPrimitivePaneRenderer,
  LineSeries,
  LineStyle,
  LineType,
  type Logical,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { clockText, dayText, stampText } from '../../components/figures/times.ts';
import { numberText } from '../../state/number-form.ts';
import {
  betweenSteps,
  type ChartData,
  evenPrices,
  keyedSpan,
  markAt,
  type PlacedFill,
  type PriceMark,
  pixelsOf,
  priceMarks,
} from './price-scene.ts';

/** Moments of equal distance at which the lines are drawn: the chart gives each the same room. */
const STEPS = 600;
/** A hand that did not move for so long has come where it wanted to be. Milliseconds. */
const REST = 300;
/** Half of the widest label of the time axis: so much is left free at both ends, so that none is cut. Pixels. */
const LABEL_HALF = 28;

/** What is drawn, from `since` to `until` in Unix milliseconds. */
export interface Plotted {
  data: ChartData;
  since: number;
  until: number;
  /** Decimals of the pair. */
  places: number;
}

/** What is under the pointer: the prices of that moment as the desk wrote them, and the fill. Pixels for its place. */
export interface UnderPointer {
  x: number;
  y: number;
  time: number;
  reference: string | null;
  bid: string | null;
  ask: string | null;
  mark: PriceMark | null;
}

interface Hands {
  onPoint: (under: UnderPointer | null) => void;
  onOpen: (fill: PlacedFill) => void;
  /** The chart was zoomed or moved to another span of time. */
  onMove: (span: { since: number; until: number }) => void;
  onReset: () => void;
}

export type PricePlot = ReturnType<typeof openPricePlot>;

/** The prices of a pair over time with the fills as triangles. Floats: for pixels only. */
export function openPricePlot(element: HTMLElement, hands: () => Hands) {
  let shown: Plotted | null = null;
  let waiting: Plotted | null = null;
  let marks: readonly PriceMark[] = [];
  let colours = readColours(element);
  let prices: Record<'reference' | 'bid' | 'ask', readonly (string | null)[]> = { reference: [], bid: [], ask: [] };
  const chart = createChart(element, {
    autoSize: true,
    layout: { background: { type: ColorType.Solid, color: 'transparent' }, fontSize: 11, attributionLogo: false },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.08, bottom: 0.08 } },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: true,
      minBarSpacing: 0.05,
      tickMarkFormatter: tickText,
    },
    localization: { timeFormatter: (time: Time) => stampText(Number(time) * 1_000) },
    crosshair: { mode: CrosshairMode.Normal },
    handleScale: { axisPressedMouseMove: false, axisDoubleClickReset: false },
    handleScroll: { vertTouchDrag: false },
  });
  const line = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false } as const;
  const lines = {
    bid: chart.addSeries(LineSeries, { ...line, lineWidth: 1, lineType: LineType.WithSteps }),
    ask: chart.addSeries(LineSeries, { ...line, lineWidth: 1, lineType: LineType.WithSteps }),
    reference: chart.addSeries(LineSeries, { ...line, lineWidth: 1, lineStyle: LineStyle.Dotted }),
  };
  // It draws nothing itself: the triangles stand at the moment and price of each fill, between the steps too.
  const fills = chart.addSeries(LineSeries, { ...line, lineVisible: false });
  const stepOf = (time: number) => {
    if (shown === null) return 0;
    return ((time - shown.since) / Math.max(1, shown.until - shown.since)) * (STEPS - 1);
  };
  const timeOf = (step: number) =>
    shown === null ? 0 : shown.since + ((shown.until - shown.since) * step) / (STEPS - 1);
  const place = (fill: PlacedFill) => {
    const x = betweenSteps(stepOf(fill.time), (step) => chart.timeScale().logicalToCoordinate(step as Logical));
    const y = fills.priceToCoordinate(pixelsOf(fill.price));
    return x === null || y === null ? null : { x, y };
  };
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        marks = priceMarks(shown?.data.fills ?? [], place, mediaSize);
        // The newest fills come last, so that they lie on top.
        for (const mark of [...marks].reverse()) drawMark(context, mark, colours);
      }),
  };
  const view = { zOrder: () => 'top' as const, renderer: () => renderer };
  const views = [view];
  fills.attachPrimitive({
    paneViews: () => views,
    autoscaleInfo: (from, to): AutoscaleInfo | null => {
      const inSight = (shown?.data.fills ?? []).filter(({ time }) => stepOf(time) >= from && stepOf(time) <= to);
      if (inSight.length === 0) return null;
      const at = inSight.map(({ price }) => pixelsOf(price));
      return { priceRange: { minValue: least(at), maxValue: -least(at.map((price) => -price)) } };
    },
  });

  /** The steps that the free room at either end takes. */
  const free = () => {
    const width = chart.timeScale().width();
    return width > 4 * LABEL_HALF ? (LABEL_HALF * (STEPS - 1)) / (width - 2 * LABEL_HALF) : 0;
  };
  const showAll = () => chart.timeScale().setVisibleLogicalRange({ from: -free(), to: STEPS - 1 + free() });

  const draw = (next: Plotted) => {
    shown = next;
    const { data, since, until, places } = next;
    const moments = Array.from({ length: STEPS }, (_, step) => (timeOf(step) / 1_000) as UTCTimestamp);
    const priceFormat = {
      type: 'custom' as const,
      minMove: 10 ** -places,
      formatter: (price: number) => numberText(price.toFixed(places)),
    };
    for (const name of ['reference', 'bid', 'ask'] as const) {
      const all = evenPrices(data[name], since, until, STEPS);
      prices = { ...prices, [name]: all };
      lines[name].applyOptions({ priceFormat });
      lines[name].setData(moments.map((time, step) => pointOf(time, all[step] ?? null)));
    }
    const filled = evenPrices(
      [...data.fills].reverse().map(({ time, price }) => [time, price] as const),
      since,
      until,
      STEPS,
    );
    fills.applyOptions({ priceFormat });
    fills.setData(moments.map((time, step) => pointOf(time, filled[step] ?? null)));
    showAll();
  };

  let resting: ReturnType<typeof setTimeout> | null = null;
  const moved = () => {
    clearTimeout(resting ?? undefined);
    resting = setTimeout(() => {
      resting = null;
      const range = chart.timeScale().getVisibleLogicalRange();
      if (range !== null) hands().onMove({ since: timeOf(range.from + free()), until: timeOf(range.to - free()) });
      if (waiting !== null || shown !== null) draw((waiting ?? shown) as Plotted);
      waiting = null;
    }, REST);
  };
  let pressedAt: number | null = null;
  const grip = ({ clientX }: PointerEvent) => {
    pressedAt = clientX;
  };
  const drag = ({ clientX }: PointerEvent) => {
    if (pressedAt !== null && Math.abs(clientX - pressedAt) > 3) moved();
  };
  const release = () => {
    pressedAt = null;
  };
  chart.timeScale().subscribeSizeChange(() => {
    if (shown !== null && resting === null) showAll();
  });
  const press = (event: KeyboardEvent) => {
    if (shown === null || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape' || event.key === '0') hands().onReset();
    const wanted = keyedSpan(shown, event.key);
    if (wanted === null) return;
    event.preventDefault();
    hands().onMove(wanted);
  };
  element.tabIndex = 0;
  element.addEventListener('keydown', press);
  element.addEventListener('wheel', moved, { passive: true });
  element.addEventListener('pointerdown', grip);
  window.addEventListener('pointermove', drag);
  window.addEventListener('pointerup', release);

  chart.subscribeCrosshairMove(({ point, logical }) => {
    if (point === undefined || logical === undefined || shown === null) return hands().onPoint(null);
    const step = Math.max(0, Math.min(STEPS - 1, Math.round(logical)));
    const at = (name: keyof typeof prices) => prices[name][step] ?? null;
    const mark = markAt(marks, point.x, point.y);
    hands().onPoint({
      x: point.x,
      y: point.y,
      time: timeOf(step),
      mark,
      reference: at('reference'),
      bid: at('bid'),
      ask: at('ask'),
    });
  });
  chart.subscribeClick(({ point }) => {
    const mark = point === undefined ? null : markAt(marks, point.x, point.y);
    if (mark !== null) hands().onOpen(mark.fill);
  });
  chart.subscribeDblClick(() => {
    clearTimeout(resting ?? undefined);
    resting = null;
    hands().onReset();
  });
  const paint = () => {
    colours = readColours(element);
    const { axis, grid, bid, ask, reference, label, font } = colours;
    const crosshair = { color: axis, labelBackgroundColor: label };
    chart.applyOptions({
      layout: { textColor: axis, fontFamily: font },
      grid: { vertLines: { color: grid }, horzLines: { color: grid } },
      crosshair: { vertLine: crosshair, horzLine: crosshair },
    });
    lines.bid.applyOptions({ color: bid });
    lines.ask.applyOptions({ color: ask });
    lines.reference.applyOptions({ color: reference });
  };
  paint();
  return {
    /** Draws it; while a hand moves the chart, once it rests. */
    show: (next: Plotted) => {
      if (resting === null) draw(next);
      else waiting = next;
    },
    /** The colours of the theme that is on. */
    paint,
    remove: () => {
      element.removeEventListener('keydown', press);
      clearTimeout(resting ?? undefined);
      window.removeEventListener('pointermove', drag);
      window.removeEventListener('pointerup', release);
      chart.remove();
    },
  };
}

function pointOf(time: UTCTimestamp, price: string | null) {
  return price === null ? { time } : { time, value: pixelsOf(price) };
}

function least(figures: readonly number[]): number {
  return figures.reduce((low, figure) => Math.min(low, figure), Number.POSITIVE_INFINITY);
}

function tickText(time: Time, type: TickMarkType): string {
  const ms = Number(time) * 1_000;
  if (type === TickMarkType.TimeWithSeconds) return clockText(ms);
  return type === TickMarkType.Time ? clockText(ms).slice(0, 5) : dayText(ms);
}

/** The colours of the theme that is on, as CSS has them. */
function readColours(element: Element) {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    grid: token('--chart-grid'),
    axis: token('--chart-axis'),
    bid: token('--bid'),
    ask: token('--ask'),
    reference: token('--fg-2'),
    label: token('--bg-3'),
    font: style.fontFamily,
  };
}

function drawMark(pen: CanvasRenderingContext2D, mark: PriceMark, colours: ReturnType<typeof readColours>): void {
  const tip = mark.fill.side === 'bids' ? -mark.half : mark.half;
  pen.fillStyle = mark.fill.side === 'bids' ? colours.bid : colours.ask;
  pen.beginPath();
  pen.moveTo(mark.x, mark.y + tip);
  pen.lineTo(mark.x + mark.half, mark.y - tip);
  pen.lineTo(mark.x - mark.half, mark.y - tip);
  pen.closePath();
  pen.fill();
}
