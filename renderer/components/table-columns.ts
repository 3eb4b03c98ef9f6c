import type { ReactNode } from 'react';
import { z } from 'zod';
import type { Story } from '../state/story.ts';
import { compareDecimals, type Decimal } from './figures/decimal-text.ts';

type Sortable = string | number | bigint | Decimal;

/** A column of a table of rows `T`. Its cells are drawn from `F`: a row, or what it comes to. */
export interface TableColumn<T, F = T> {
  id: string;
  /** What the menu and a reader of the screen call it. */
  name: string;
  /** Its one or two lines of head; nothing, where the cells speak for themselves. */
  head: readonly [string?, string?];
  title?: string;
  /** The least it needs, CSS pixels without padding. */
  width: number;
  /** The same once users have names. */
  namedWidth?: number;
  /** Its share of the room that is left. */
  grows: number;
  /** How early it goes when there is no room: a lower one stays longer, 0 stays always; equal ones go together. */
  rank: number;
  /** Not shown until somebody wants it. */
  hidden?: boolean;
  align?: 'right' | 'center';
  className?: string;
  /** Whatever it shows has room in its width. */
  isShort?: boolean;
  /** The figure or the word that rows are sorted by; those without one come last, whichever way. Not sorted without it. */
  sortedBy?: (row: T) => Sortable | null;
  cell: (facts: F) => ReactNode;
  /** What a cell says on hover beside what it shows. */
  tip?: (facts: F) => string | null | undefined;
  /** Of what its cell tells, where that is more than its row's. */
  stories?: (facts: F) => readonly Story[];
  /** How much room its text has as the column is drawn now, CSS pixels: a table says so of the columns it hands to its rows. */
  room?: number;
}

/**
 * The columns of sums that grow with time: while the desk is not heard their figures are struck, as no longer known. `others`
 * are columns that are no figures, such as the one that says what a row is about.
 */
export function liveSums<T, F>(
  columns: readonly TableColumn<T, F>[],
  ...others: readonly string[]
): readonly TableColumn<T, F>[] {
  return columns.map((column) =>
    others.includes(column.id) ? column : { ...column, className: `${column.className ?? ''} live-figure` },
  );
}

type Placed = Pick<TableColumn<never, never>, 'id' | 'width' | 'grows' | 'rank'>;
type Widths = Readonly<Record<string, number>>;

/** What a cell has around its text, and the whole row at its two ends. CSS pixels. */
export const GAP = 12;
export const TIGHT_GAP = 8;
const ENDS = 12;
export const NARROWEST = 24;
export const WIDEST = 2_000;

const widthSchema = z.number().min(NARROWEST).max(WIDEST);
const keptSchema = z.object({
  order: z.array(z.string()).catch([]),
  shown: z.record(z.string(), z.boolean()).catch({}),
  widths: z.record(z.string(), widthSchema).catch({}),
  pinned: z.array(z.string()).catch([]),
  sort: z.object({ id: z.string(), desc: z.boolean() }).nullable().catch(null),
});

/** What somebody chose of a table: nothing of it, and the table is as it is at first. Widths in CSS pixels. */
export type KeptTable = z.infer<typeof keptSchema>;

export const AT_FIRST: KeptTable = { order: [], shown: {}, widths: {}, pinned: [], sort: null };

/** Reads what was kept of a table; what cannot be read of it is as it is at first. */
export function readKeptTable(text: string | null): KeptTable {
  try {
    return keptSchema.catch(AT_FIRST).parse(JSON.parse(text ?? 'null'));
  } catch {
    return AT_FIRST;
  }
}

/** The columns that fit into a width, in their order; those of the highest rank go first, all of one rank together. Widening one sends none away. */
export function fittingColumns<C extends Placed>(
  columns: readonly C[],
  widths: Widths,
  room: number,
  gap = GAP,
): readonly C[] {
  const least = ({ id, width }: C) => Math.min(width, widths[id] ?? width) + gap;
  let fitting = columns;
  while (fitting.reduce((sum, column) => sum + least(column), 2 * ENDS - gap) > room) {
    const worst = Math.max(...fitting.map(({ rank }) => rank));
    if (worst <= 0) break;
    fitting = fitting.filter(({ rank }) => rank < worst);
  }
  return fitting;
}

/** What is no text of a cell: the gaps beside it, and the end of the row where it is the first or the last. */
function around({ length }: readonly Placed[], index: number, gap: number): number {
  const ends = (index === 0 ? 1 : 0) + (index === length - 1 ? 1 : 0);
  return gap + ends * (ENDS - gap / 2);
}

/**
 * How wide each column is drawn, padding included: as somebody made it, else what it needs and its share of the room left.
 * More than the room, where widths were chosen so: then the table scrolls.
 */
export function drawnWidths(columns: readonly Placed[], widths: Widths, room: number, gap = GAP): readonly number[] {
  const needed = columns.map(({ id, width }, index) => (widths[id] ?? width) + around(columns, index, gap));
  const left = Math.max(0, room - needed.reduce((sum, width) => sum + width, 0));
  const shares = columns.map(({ id, grows }) => (widths[id] === undefined ? grows : 0));
  const all = shares.reduce((sum, share) => sum + share, 0);
  return needed.map((width, index) => {
    if (all === 0) return index === columns.length - 1 ? width + left : width;
    return width + (left * (shares[index] ?? 0)) / all;
  });
}

/** How much of each drawn width is room for text. CSS pixels. */
export function roomOfText(columns: readonly Placed[], drawn: readonly number[], gap = GAP): readonly number[] {
  return drawn.map((width, index) => width - around(columns, index, gap));
}

const FIGURE = /^(?:—|[\d.,:+−$\u2009\u00a0 ]*)$/;
/** No digit or sign of a figure is wider in the largest letters of a table, and nothing between them. CSS pixels. */
const [DIGIT, POINT, DASH] = [8.5, 4.5, 14];

/** Whether a text is sure to have room: then its cell needs no clip, and a page of thousands of clips is slow to draw. */
export function isSureToFit(text: unknown, room = 0): boolean {
  if (typeof text !== 'string' || !FIGURE.test(text)) return false;
  if (text === '—') return DASH <= room;
  const points = text.length - text.replace(/[.,:\u2009\u00a0 ]/g, '').length;
  return points * POINT + (text.length - points) * DIGIT <= room;
}

/**
 * The widths after the right edge of a column was moved by so many pixels. Those before it stay as they are drawn, so that
 * the edge stays under the pointer.
 */
export function movedEdge(
  columns: readonly Placed[],
  widths: Widths,
  drawn: readonly number[],
  id: string,
  by: number,
  gap = GAP,
): Record<string, number> {
  const moved: Record<string, number> = { ...widths };
  for (const [index, column] of columns.entries()) {
    const width = (drawn[index] ?? column.width) - around(columns, index, gap) + (column.id === id ? by : 0);
    moved[column.id] = Math.round(Math.max(NARROWEST, Math.min(WIDEST, width)));
    if (column.id === id) break;
  }
  return moved;
}

/** The columns' names after one was moved to the place of another. */
export function movedTo(ids: readonly string[], id: string, place: number): string[] {
  const others = ids.filter((other) => other !== id);
  return [...others.slice(0, Math.max(0, place)), id, ...others.slice(Math.max(0, place))];
}

/** Below zero where the first comes before the second. */
export function compareSortables(first: Sortable, second: Sortable): number {
  if (typeof first === 'object' && typeof second === 'object') return compareDecimals(first, second);
  return first < second ? -1 : first > second ? 1 : 0;
}
