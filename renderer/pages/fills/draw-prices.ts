import type { PixelLine, PriceScene } from './price-scene.ts';

/** The colours of the theme that is on, as CSS has them. */
export interface ChartColours {
  grid: string;
  axis: string;
  bid: string;
  ask: string;
  reference: string;
}

export function chartColours(element: Element): ChartColours {
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
export function drawPrices(canvas: HTMLCanvasElement, scene: PriceScene, colours: ChartColours, ratio: number): void {
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
