import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createSortedRowModel,
  functionalUpdate,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table';
import { useEffect, useMemo, useState } from 'react';
import { useNames } from '../state/names.tsx';
import { useSize } from '../state/use-size.ts';
import {
  AT_FIRST,
  compareSortables,
  drawnWidths,
  fittingColumns,
  GAP,
  type KeptTable,
  movedEdge,
  movedTo,
  readKeptTable,
  roomOfText,
  type TableColumn,
  TIGHT_GAP,
} from './table-columns.ts';

const FEATURES = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

export type TableView<T extends RowData, C extends TableColumn<T, never>> = ReturnType<typeof useTableView<T, C>>;

/** How a table was kept before tables had one form: where in this browser, and what that says of it. */
interface Older {
  place: string;
  read: (text: string) => KeptTable;
}

/**
 * A table as somebody arranged it: which columns in which order, how wide, sorted by which. Kept in this browser by the
 * table's name. Without `whole` there are rows that were not read yet: then nothing is sorted, for it would be wrong.
 */
export function useTableView<T extends RowData, C extends TableColumn<T, never>>(of: {
  name: string;
  columns: readonly C[];
  rows: readonly T[];
  whole?: boolean;
  older?: Older;
  /** Cells stand closer to each other. */
  isTight?: boolean;
}) {
  const { name, rows, whole = true, older, isTight = false } = of;
  const isNamed = useNames().given.some((given) => given.of === 'user');
  const columns = useMemo(
    () => of.columns.map((column) => (isNamed ? { ...column, width: column.namedWidth ?? column.width } : column)),
    [of.columns, isNamed],
  );
  const gap = isTight ? TIGHT_GAP : GAP;
  const place = `makerdesk.table.${name}`;
  const [kept, setKept] = useState(() => {
    const text = localStorage.getItem(place);
    const before = text === null && older !== undefined ? localStorage.getItem(older.place) : null;
    return older === undefined || before === null ? readKeptTable(text) : older.read(before);
  });
  useEffect(() => {
    if (kept === AT_FIRST) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(kept));
    if (older !== undefined) localStorage.removeItem(older.place);
  }, [kept, place, older]);
  const { ref, width: room, height } = useSize<HTMLDivElement>(place);
  const definitions = useMemo(
    () =>
      columns.map(({ id, align, sortedBy }) => ({
        id,
        accessorFn: (row: T) => sortedBy?.(row) ?? undefined,
        enableSorting: sortedBy !== undefined,
        sortDescFirst: align === 'right',
        sortUndefined: 'last' as const,
        sortFn: (a: { original: T }, b: { original: T }) =>
          compareSortables(sortedBy?.(a.original) ?? '', sortedBy?.(b.original) ?? ''),
      })),
    [columns],
  );
  const visibility = useMemo(
    () => ({ ...Object.fromEntries(columns.map(({ id, hidden }) => [id, hidden !== true])), ...kept.shown }),
    [columns, kept.shown],
  );
  const sorting = useMemo(() => (whole && kept.sort !== null ? [kept.sort] : []), [whole, kept.sort]);
  const pinning = useMemo(() => ({ start: kept.pinned, end: [] }), [kept.pinned]);
  const table = useTable({
    features: FEATURES,
    data: rows,
    columns: definitions,
    state: {
      columnOrder: kept.order,
      columnVisibility: visibility,
      columnSizing: kept.widths,
      columnPinning: pinning,
      sorting,
    },
    onColumnOrderChange: (next: Updater<string[]>) =>
      setKept((old) => ({ ...old, order: functionalUpdate(next, old.order) })),
    onColumnVisibilityChange: (next: Updater<Record<string, boolean>>) =>
      setKept((old) => ({ ...old, shown: functionalUpdate(next, visibility) })),
    onColumnSizingChange: (next: Updater<Record<string, number>>) =>
      setKept((old) => ({ ...old, widths: functionalUpdate(next, old.widths) })),
    onColumnPinningChange: (next: Updater<{ start: string[]; end: string[] }>) =>
      setKept((old) => ({ ...old, pinned: functionalUpdate(next, { start: old.pinned, end: [] }).start })),
    onSortingChange: (next: Updater<{ id: string; desc: boolean }[]>) =>
      setKept((old) => ({ ...old, sort: functionalUpdate(next, old.sort === null ? [] : [old.sort])[0] ?? null })),
  });
  const order = table.getAllLeafColumns();
  const [pinned, others] = [table.getStartVisibleLeafColumns(), table.getCenterVisibleLeafColumns()];
  const ordered = useMemo(
    () => order.flatMap(({ id }) => columns.find((column) => column.id === id) ?? []),
    [order, columns],
  );
  const chosen = useMemo(
    () => [...pinned, ...others].flatMap(({ id }) => columns.find((column) => column.id === id) ?? []),
    [pinned, others, columns],
  );
  const shown = useMemo(() => fittingColumns(chosen, kept.widths, room, gap), [chosen, kept.widths, room, gap]);
  const widths = useMemo(() => drawnWidths(shown, kept.widths, room, gap), [shown, kept.widths, room, gap]);
  const drawn = useMemo(() => {
    const rooms = roomOfText(shown, widths, gap);
    return shown.map((column, index) => ({ ...column, room: rooms[index] }));
  }, [shown, widths, gap]);
  const model = sorting.length === 0 ? null : table.getRowModel();
  const sorted = useMemo(() => (model === null ? rows : model.rows.map(({ original }) => original)), [model, rows]);
  return {
    /** Measures how much room there is, CSS pixels; 0 before it was measured. */
    ref,
    room,
    height,
    /** Every column in its order, those that are wanted, and those of them for which there is room. */
    ordered,
    chosen,
    shown,
    widths,
    /** Those that are shown, each with the room that its text has. */
    drawn,
    rows: sorted,
    whole,
    isTight,
    /** By which column the rows are sorted and whether the largest is first; null where they are as they came. */
    sort: sorting[0] ?? null,
    /** The first way, the other way, and as the table is by itself. */
    sortBy: (id: string) => table.getColumn(id)?.toggleSorting(),
    show: (id: string, on: boolean) => table.getColumn(id)?.toggleVisibility(on),
    isPinned: (id: string) => kept.pinned.includes(id),
    /** Keeps a column in sight at the left, also while the others are scrolled sideways. */
    pin: (id: string, on: boolean) => table.getColumn(id)?.pin(on ? 'start' : false),
    move: (id: string, place: number) =>
      table.setColumnOrder(
        movedTo(
          ordered.map((column) => column.id),
          id,
          place,
        ),
      ),
    /** Moves a column's right edge from where it is drawn now, CSS pixels. */
    widen: (id: string, by: number) => table.setColumnSizing(movedEdge(shown, kept.widths, widths, id, by, gap)),
    /** The width it has by itself again. */
    unsize: (id: string) =>
      table.setColumnSizing((old) => Object.fromEntries(Object.entries(old).filter(([other]) => other !== id))),
    reset: () => setKept(AT_FIRST),
  };
}

/** Whether two views have the same columns in the same way: what shows those alone is drawn anew only where not, and never for a row. */
export function sameColumns<T extends RowData, C extends TableColumn<T, never>>(
  old: TableView<T, C>,
  next: TableView<T, C>,
): boolean {
  return (
    old.ordered === next.ordered &&
    old.chosen === next.chosen &&
    old.shown === next.shown &&
    old.widths === next.widths &&
    old.sort === next.sort &&
    old.whole === next.whole
  );
}
