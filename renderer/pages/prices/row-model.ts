import { useMemo, useRef } from 'react';
import type { Draft, DraftCell } from '../../../electron/contract/book.ts';
import type { LadderPerson } from '../../../electron/contract/ladder-preview.ts';
import { type Decimal, groupedText, toPixels, withPlaces } from '../../components/figures/decimal-text.ts';
import { distanceBpsText } from '../../components/figures/prices.ts';
import type { Side } from '../../components/mark.tsx';
import { cellWords } from '../../state/story.ts';
import { COLUMNS, isInRange } from './grid-cells.ts';
import { cellText, cutText, totalsOf } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';
import { initials } from './use-draft.ts';

/** One cell of the draft as it is drawn. */
export interface CellModel {
  name: string;
  /** As it is edited, and as it is read. */
  value: string;
  text: string;
  changed: boolean;
  fault: string | null;
  /** Who else wrote it. */
  editor: string | null;
  /** Initials of who else stands here. */
  people: string;
}

/** A figure that is live, and whether the draft would replace it. */
export interface LiveModel {
  text: string;
  /** With all its digits. */
  value: string;
  replaced: boolean;
}

export interface SideModel {
  distance: string;
  total: string;
  /** Width of its bar, percent. */
  share: number;
  /** Why the level cannot be published, with what stands in the cell. */
  fault: { value: string; fault: string } | null;
  price: LiveModel | null;
  amount: LiveModel | null;
}

/** One level of both sides as it is drawn. `cells` are the four columns; null where the side has no such row. */
export interface RowModel {
  level: number;
  cells: readonly (CellModel | 'new' | null)[];
  bids: SideModel;
  asks: SideModel;
}

/** What all rows are drawn from. */
export interface Scene {
  draft: Draft;
  values: LadderValues;
  live: LadderValues;
  actor: string;
  /** What distances are measured from, a decimal; null without any. */
  from: string | null;
  places: { price: number; amount: number };
  people: readonly LadderPerson[];
}

/** Every row there is to draw: one more than the longer side has levels, for a new one. */
export function rowModels(scene: Scene): RowModel[] {
  const { values, live } = scene;
  const totals = { bids: totalsOf(values.bids), asks: totalsOf(values.asks) };
  const most = Math.max(0, ...[...totals.bids, ...totals.asks].map((total) => (total === null ? 0 : toPixels(total))));
  const rows = Math.max(values.bids.length + 1, values.asks.length + 1, live.bids.length, live.asks.length);
  return Array.from({ length: rows }, (_, level) => ({
    level,
    cells: COLUMNS.map((_column, column) => cellModel(scene, level, column)),
    bids: sideModel(scene, 'bids', level, totals.bids[level] ?? null, most),
    asks: sideModel(scene, 'asks', level, totals.asks[level] ?? null, most),
  }));
}

function cellModel(scene: Scene, level: number, column: number): CellModel | 'new' | null {
  const at = COLUMNS[column];
  if (at === undefined) return null;
  const { side, field } = at;
  const cell: DraftCell | undefined = scene.draft[side][level]?.[field];
  if (cell === undefined) return level === scene.values[side].length ? 'new' : null;
  const changed = cell.value !== (scene.live[side][level]?.[field === 'price' ? 0 : 1] ?? '');
  const here = scene.people.filter(({ at: stand }) => stand !== null && isInRange({ row: level, column }, stand));
  return {
    name: cellName(column, level),
    value: cell.value,
    // Of a price, and of what somebody changes, every digit is in sight.
    text: (changed || field === 'price' ? cellText : cutText)(cell.value, scene.places[field]),
    changed,
    fault: cell.fault,
    editor: cell.editor === scene.actor ? null : cell.editor,
    people: here.map(({ actor }) => initials(actor)).join(' '),
  };
}

/** A cell's name as a trader says it: `Bid 3 price`. */
export function cellName(column: number, level: number): string {
  return cellWords({ ...(COLUMNS[column] ?? COLUMNS[0]), level });
}

function faultOf(cell: DraftCell | undefined): SideModel['fault'] {
  return cell === undefined || cell.fault === null ? null : { value: cell.value, fault: cell.fault };
}

function sideModel(scene: Scene, side: Side, level: number, total: Decimal | null, most: number): SideModel {
  const drafted = scene.values[side][level];
  const live = scene.live[side][level];
  const cells = scene.draft[side][level];
  const figure = (part: 0 | 1, textOf: typeof cellText, places: number): LiveModel | null =>
    live === undefined
      ? null
      : { text: textOf(live[part], places), value: live[part], replaced: live[part] !== drafted?.[part] };
  return {
    distance: scene.from === null ? '' : (distanceBpsText(drafted?.[0] ?? '', scene.from) ?? ''),
    total: total === null ? '' : groupedText(withPlaces(total, scene.places.amount, 'down')),
    share: total === null || most === 0 ? 0 : Math.round((toPixels(total) / most) * 1_000) / 10,
    fault: faultOf(cells?.price) ?? faultOf(cells?.amount),
    price: figure(0, cellText, scene.places.price),
    amount: figure(1, cutText, scene.places.amount),
  };
}

/** The rows of the ladder; one that looks as before is the same object, so that it is not drawn anew. */
export function useRowModels(scene: Scene): readonly RowModel[] {
  const drawn = useRef<{ text: string; row: RowModel }[]>([]);
  const { draft, values, live, actor, from, places, people } = scene;
  return useMemo(() => {
    const rows = rowModels({ draft, values, live, actor, from, places, people }).map((row, level) => {
      const before = drawn.current[level];
      const text = JSON.stringify(row);
      return before?.text === text ? before : { text, row };
    });
    drawn.current = rows;
    return rows.map(({ row }) => row);
  }, [draft, values, live, actor, from, places, people]);
}
