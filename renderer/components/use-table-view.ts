import {
  columnOrderingFeature,
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
import { useSize } from '../state/use-size.ts';
import {
  AT_FIRST,
  drawnWidths,
  fittingColumns,
  movedEdge,
  movedTo,
  readKeptTable,
  type TableColumn,
} from './table-columns.ts';

const FEATURES = tableFeatures({
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

export type TableView<T extends RowData, C extends TableColumn<T, never>> = ReturnType<typeof useTableView<T, C>>;

/**
 * A table as somebody arranged it: which columns in which order, how wide, sorted by which. Kept in this browser by the
 * table's name. Without `whole` there are rows that were not read yet: then nothing is sorted, for it would be wrong.
 */
export function useTableView<T extends RowData, C extends TableColumn<T, never>>(of: {
  name: string;
  columns: readonly C[];
  rows: readonly T[];
  whole?: boolean;
}) {
  const { name, columns, rows, whole = true } = of;
  const place = `makerdesk.table.${name}`;
  const [kept, setKept] = useState(() => readKeptTable(localStorage.getItem(place)));
  useEffect(() => {
    if (kept === AT_FIRST) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(kept));
  }, [kept, place]);
  const { ref, width: room } = useSize<HTMLDivElement>();
  const definitions = useMemo(
    () =>
      columns.map(({ id, align, compare }) => ({
        id,
        accessorFn: (row: T) => row,
        enableSorting: compare !== undefined,
        sortDescFirst: align === 'right',
        sortFn: (a: { original: T }, b: { original: T }) => compare?.(a.original, b.original) ?? 0,
      })),
    [columns],
  );
  const visibility = useMemo(
    () => ({ ...Object.fromEntries(columns.map(({ id, hidden }) => [id, hidden !== true])), ...kept.shown }),
    [columns, kept.shown],
  );
  const sorting = useMemo(() => (whole && kept.sort !== null ? [kept.sort] : []), [whole, kept.sort]);
  const table = useTable({
    features: FEATURES,
    data: rows,
    columns: definitions,
    state: { columnOrder: kept.order, columnVisibility: visibility, columnSizing: kept.widths, sorting },
    onColumnOrderChange: (next: Updater<string[]>) =>
      setKept((old) => ({ ...old, order: functionalUpdate(next, old.order) })),
    onColumnVisibilityChange: (next: Updater<Record<string, boolean>>) =>
      setKept((old) => ({ ...old, shown: functionalUpdate(next, visibility) })),
    onColumnSizingChange: (next: Updater<Record<string, number>>) =>
      setKept((old) => ({ ...old, widths: functionalUpdate(next, old.widths) })),
    onSortingChange: (next: Updater<{ id: string; desc: boolean }[]>) =>
      setKept((old) => ({ ...old, sort: functionalUpdate(next, old.sort === null ? [] : [old.sort])[0] ?? null })),
  });
  const order = table.getAllLeafColumns();
  const visible = table.getVisibleLeafColumns();
  const ordered = useMemo(
    () => order.flatMap(({ id }) => columns.find((column) => column.id === id) ?? []),
    [order, columns],
  );
  const chosen = useMemo(
    () => visible.flatMap(({ id }) => columns.find((column) => column.id === id) ?? []),
    [visible, columns],
  );
  const shown = useMemo(() => fittingColumns(chosen, kept.widths, room), [chosen, kept.widths, room]);
  const widths = useMemo(() => drawnWidths(shown, kept.widths, room), [shown, kept.widths, room]);
  const model = sorting.length === 0 ? null : table.getRowModel();
  const sorted = useMemo(() => (model === null ? rows : model.rows.map(({ original }) => original)), [model, rows]);
  return {
    /** Measures how much room there is. */
    ref,
    room,
    /** Every column in its order, those that are wanted, and those of them for which there is room. */
    ordered,
    chosen,
    shown,
    widths,
    rows: sorted,
    whole,
    sortOf: (id: string) => table.getColumn(id)?.getIsSorted() ?? false,
    /** The first way, the other way, and as the table is by itself. */
    sortBy: (id: string) => table.getColumn(id)?.toggleSorting(),
    show: (id: string, on: boolean) => table.getColumn(id)?.toggleVisibility(on),
    move: (id: string, place: number) =>
      table.setColumnOrder(
        movedTo(
          ordered.map((column) => column.id),
          id,
          place,
        ),
      ),
    /** Moves a column's right edge from where it is drawn now, CSS pixels. */
    widen: (id: string, by: number) => table.setColumnSizing(movedEdge(shown, kept.widths, widths, id, by)),
    /** The width it has by itself again. */
    unsize: (id: string) =>
      table.setColumnSizing((old) => Object.fromEntries(Object.entries(old).filter(([other]) => other !== id))),
    reset: () => setKept(AT_FIRST),
  };
}
