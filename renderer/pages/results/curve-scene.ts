import type { ResultCurve } from '../../../electron/contract/results.ts';
import { toPixels } from '../../components/figures/decimal-text.ts';
import { hasRoom, type MoneyFrame, moneyFrame, yOf } from '../../components/money-frame.ts';
import { readDollars } from './dollars.ts';

/** The lines of the curve, apart by their dash. */
export const LINES = [
  { name: 'edge', text: 'Edge earned', dash: undefined },
  { name: 'markout', text: 'Markout', dash: '6 3' },
  { name: 'inventory', text: 'Inventory', dash: '1.5 2.5' },
  { name: 'costs', text: 'Hedge, gas, fees', dash: '8 3 1.5 3' },
  { name: 'net', text: 'Net', dash: undefined },
] as const;
export type LineName = (typeof LINES)[number]['name'];

export type CurvePoint = { time: number } & Record<LineName, number>;

/** A curve as it is drawn: values for pixels only. */
export interface CurveScene extends MoneyFrame {
  points: CurvePoint[];
  /** From here on fills have marks whose time has not come. */
  youngFrom: number | null;
  /** Where the name of each line stands, none over another. */
  ends: { name: LineName; text: string; y: number; at: number }[];
}

const MARGIN = { left: 54, top: 12, right: 164, bottom: 22 };
const LABEL_GAP = 15;

/** Returns what the chart draws; null while it has no room. `youngMs` is the last mark's time, where some fill has not reached it. */
export function curveScene(
  curve: ResultCurve,
  youngMs: number | null,
  size: { width: number; height: number },
): CurveScene | null {
  if (!hasRoom(size, MARGIN)) return null;
  const { since, until, points: grown } = curve;
  const step = (until - since) / Math.max(1, grown.length);
  const points = [pointAt(since, null), ...grown.map((point, index) => pointAt(since + (index + 1) * step, point))];
  const values = points.flatMap((point) => LINES.map(({ name }) => point[name]));
  const frame = moneyFrame({ since, until }, values, { size, margin: MARGIN, spare: 0.03 });
  const last = points.at(-1) ?? pointAt(until, null);
  const named = LINES.map(({ name, text }) => {
    const at = yOf(frame, last[name]);
    return { name, text, at, y: at };
  });
  return {
    ...frame,
    points,
    youngFrom: youngMs === null ? null : Math.max(since, until - youngMs),
    ends: apart(named, frame.plot.bottom),
  };
}

function pointAt(time: number, point: ResultCurve['points'][number] | null): CurvePoint {
  const value = (name: LineName) => (point === null ? 0 : toPixels(readDollars(point[name])));
  return {
    time,
    edge: value('edge'),
    markout: value('markout'),
    inventory: value('inventory'),
    costs: value('costs'),
    net: value('net'),
  };
}

/** Moves names down until none stands over another, and up again where the last one would fall off. */
function apart(ends: CurveScene['ends'], bottom: number): CurveScene['ends'] {
  const sorted = [...ends].sort((a, b) => a.at - b.at);
  let before = Number.NEGATIVE_INFINITY;
  for (const end of sorted) {
    end.y = Math.max(end.at, before + LABEL_GAP);
    before = end.y;
  }
  let after = bottom + LABEL_GAP;
  for (const end of sorted.toReversed()) {
    end.y = Math.min(end.y, after - LABEL_GAP);
    after = end.y;
  }
  return sorted;
}
