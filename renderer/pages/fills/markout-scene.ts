import type { Traded } from '../../../electron/contract/console/fills.ts';
import { MARK_NAMES, MARKS } from '../../../electron/contract/marks.ts';
import { markText } from '../../components/figures/counts.ts';
import { evenSteps } from './price-scene.ts';

/** The moments of the curve, in its order. */
const MOMENTS = MARK_NAMES.map((name) => ({ name, text: name === 'edge' ? 'when quoted' : MARKS[name].text }));

export interface MarkoutRow {
  key: string;
  name: string;
  traded: Traded;
}

/** A line as it is drawn; pixels. */
export interface MarkoutLine {
  key: string;
  name: string;
  kind: 'all' | 'chosen' | 'other';
  points: readonly { x: number; y: number; said: string }[];
  /** The name and the newest figure behind the last point, moved so that no label lies on another. */
  label: { y: number; text: string; isLoss: boolean };
}

export interface MarkoutScene {
  lines: readonly MarkoutLine[];
  moments: readonly { x: number; text: string; count: number }[];
  bps: readonly { y: number; text: string }[];
  zero: number;
}

/** Lines beside that of everything: more cannot be told apart. */
export const MOST_LINES = 8;
const LEFT = 52;
const LABELS = 148;
const TOP = 10;
const BOTTOM = 12;
const LABEL_HEIGHT = 15;
const STEPS = 4;
/** In tenths of a basis point: a flat curve is not blown up to look steep. */
const LEAST_RANGE = 20;

/** Places average markouts in a space of this size. Rows beyond `MOST_LINES` are left out, except the chosen one. */
export function markoutScene(
  rows: readonly MarkoutRow[],
  all: Traded,
  chosen: string,
  size: { width: number; height: number },
): MarkoutScene {
  const shown = rows.filter(({ key }, index) => index < MOST_LINES || key === chosen);
  const drawn = [
    ...shown.filter(({ key }) => key !== chosen).map((row) => ({ ...row, kind: 'other' as const })),
    ...(rows.length > 1 ? [{ key: '', name: 'All', traded: all, kind: 'all' as const }] : []),
    ...shown.filter(({ key }) => key === chosen).map((row) => ({ ...row, kind: 'chosen' as const })),
  ].filter(({ traded }) => MOMENTS.some(({ name }) => typeof traded[name] === 'number'));
  const marks = drawn.flatMap(({ traded }) => MOMENTS.flatMap(({ name }) => numberOf(traded[name]) ?? []));
  let [low, high] = [Math.min(0, ...marks), Math.max(0, ...marks)];
  if (high - low < LEAST_RANGE)
    [low, high] = [low - (LEAST_RANGE - high + low) / 2, high + (LEAST_RANGE - high + low) / 2];
  const step = (size.width - LEFT - LABELS) / (MOMENTS.length - 1);
  const x = (moment: number) => LEFT + moment * step;
  const y = (mark: number) => TOP + ((high - mark) / (high - low)) * (size.height - TOP - BOTTOM);
  const lines = drawn.map(({ key, name, kind, traded }): MarkoutLine => {
    const known = MOMENTS.flatMap((moment, index) => {
      const mark = numberOf(traded[moment.name]);
      if (mark === null) return [];
      const said = `${name} ${moment.text}: ${markText(mark)} bps, ${traded.counts[moment.name]} fills`;
      return [{ x: x(index), y: y(mark), mark, said }];
    });
    const last = known.at(-1);
    return {
      key,
      name,
      kind,
      points: known,
      label: { y: last?.y ?? 0, text: `${name} ${markText(last?.mark ?? null)}`, isLoss: (last?.mark ?? 0) < 0 },
    };
  });
  const counted = rows.find(({ key }) => key === chosen)?.traded ?? all;
  return {
    lines: apart(lines, size.height),
    moments: MOMENTS.map(({ name, text }, index) => ({ x: x(index), text, count: counted.counts[name] })),
    bps: evenSteps(low, high, STEPS).map((mark) => ({ y: y(mark), text: markText(Math.round(mark)) })),
    zero: y(0),
  };
}

function numberOf(mark: Traded['edge']): number | null {
  return typeof mark === 'number' ? mark : null;
}

/** Moves labels down until none lies on another, and all of them up again where they would leave the space. */
function apart(lines: readonly MarkoutLine[], height: number): MarkoutLine[] {
  const byHeight = [...lines].sort((a, b) => a.label.y - b.label.y);
  const places = new Map<string, number>();
  let free = LABEL_HEIGHT / 2;
  for (const { key, label } of byHeight) {
    const place = Math.max(free, label.y);
    places.set(key, place);
    free = place + LABEL_HEIGHT;
  }
  let most = height - LABEL_HEIGHT / 2;
  for (const { key } of byHeight.reverse()) {
    const place = Math.min(most, places.get(key) ?? 0);
    places.set(key, place);
    most = place - LABEL_HEIGHT;
  }
  return lines.map((line) => ({ ...line, label: { ...line.label, y: places.get(line.key) ?? line.label.y } }));
}
