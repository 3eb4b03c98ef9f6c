import type { RowData } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type CSSProperties, memo, type PointerEvent, type ReactNode, useCallback, useEffect, useRef } from 'react';
import { storiesOf } from '../state/story.ts';
import styles from './data-table.module.css';
import { type Read, ReadState } from './empty.tsx';
import { Scroll } from './scroll.tsx';
import { Table } from './table.tsx';
import { isSureToFit, type TableColumn } from './table-columns.ts';
import { HEAD_HEIGHT, ROW_HEIGHT, useRowsInSight } from './use-rows-in-sight.ts';
import { sameColumns, type TableView } from './use-table-view.ts';

/** Rows from the end at which the next ones are asked for. */
const NEAR = 20;

/** So many pinned columns stay in sight; more of them would leave no room for the others. */
const MOST_PINNED = 3;

/**
 * A table whose columns are as somebody arranged them. Of a long one only the rows in sight are drawn; two empty rows keep
 * the place of the others. While it has no row there stands what its read has to say, or why there is none: the children.
 */
export function DataTable<T extends RowData, C extends TableColumn<T, never>, R>(props: {
  name: string;
  view: TableView<T, C>;
  /** The rows of the view, perhaps with others between them. */
  rows: readonly R[];
  row: (row: R, columns: readonly C[]) => ReactNode;
  foot?: (columns: readonly C[]) => ReactNode;
  read?: Read;
  /** What is not known where it was not read, and what goes on all the same. */
  unknown?: string;
  /** How many bars stand for the rows on their way. */
  bars?: number;
  isBusy?: boolean;
  /** Called when the last row comes near. */
  onEnd?: () => void;
  /** The row to keep in sight. */
  show?: R | undefined;
  /** Told when somebody begins or ends to read: the pointer is on the rows, or they are scrolled down. */
  onReading?: (reading: boolean) => void;
  className?: string;
  children?: ReactNode;
}) {
  const { name, view, rows, foot, read, unknown, bars, isBusy, onEnd, show, onReading, className, children } = props;
  const { shown, drawn, widths, ref } = view;
  const { scroller, list, first, end } = useRowsInSight(rows.length, { height: view.height });
  useEffect(() => {
    if (rows.length > 0 && end > rows.length - NEAR) onEnd?.();
  }, [end, rows.length, onEnd]);
  const at = show === undefined ? -1 : rows.indexOf(show);
  useEffect(() => {
    if (at >= 0) list.scrollToIndex(at, { align: 'auto' });
  }, [at, list]);
  const place = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      ref(element);
    },
    [ref, scroller],
  );
  const pinned = shown.filter(({ id }) => view.isPinned(id)).length;
  return (
    <Scroll
      ref={place}
      data-rows={name}
      onPointerEnter={() => onReading?.(true)}
      onPointerLeave={(event) => onReading?.(event.currentTarget.scrollTop > 0)}
      onScroll={(event) => onReading?.(event.currentTarget.scrollTop > 0 || event.currentTarget.matches(':hover'))}
    >
      {read !== undefined && <ReadState read={read} rows={bars} isTable unknown={unknown} />}
      {rows.length === 0 && (read === undefined || (!read.isPending && read.error === null)) && children}
      {/* So high is it before its first row is drawn, or the panel around it would not show how many rows it has room for. */}
      {rows.length > 0 && view.room === 0 && <div style={{ height: HEAD_HEIGHT + rows.length * ROW_HEIGHT }} />}
      {rows.length > 0 && view.room > 0 && (
        <Table
          aria-label={name}
          aria-rowcount={rows.length + 1}
          aria-busy={isBusy}
          className={`${styles.grid} ${className ?? ''}`}
          data-tight={view.isTight ? '' : undefined}
          data-pinned={pinned === 0 ? undefined : Math.min(MOST_PINNED, pinned)}
          style={
            {
              width: Math.max(view.room, Math.floor(widths.reduce((sum, width) => sum + width, 0))),
              '--second': `${widths[0] ?? 0}px`,
              '--third': `${(widths[0] ?? 0) + (widths[1] ?? 0)}px`,
            } as CSSProperties
          }
        >
          <colgroup>
            {shown.map(({ id }, index) => (
              <col key={id} style={{ width: widths[index] }} />
            ))}
          </colgroup>
          <HeadRow view={view} />
          <tbody>
            {first > 0 && <tr style={{ height: first * ROW_HEIGHT }} />}
            {rows.slice(first, end).map((row) => props.row(row, drawn))}
            {end < rows.length && <tr style={{ height: (rows.length - end) * ROW_HEIGHT }} />}
          </tbody>
          {foot !== undefined && <tfoot>{foot(drawn)}</tfoot>}
        </Table>
      )}
    </Scroll>
  );
}

/** The cells of a row, in the columns there are. */
export function Cells<F>({ columns, facts }: { columns: readonly TableColumn<never, F>[]; facts: F }) {
  return columns.map(({ id, align = '', className = '', cell, tip, stories, isShort, width, room = 0 }) => {
    const shown = cell(facts);
    return (
      <td
        key={id}
        className={`${align} ${className}`}
        title={tip?.(facts) ?? undefined}
        data-stories={stories && storiesOf(...stories(facts))['data-stories']}
        data-fits={(isShort && room >= width) || isSureToFit(shown, room) ? '' : undefined}
      >
        {shown}
      </td>
    );
  });
}

/** The cells of a row that has something to say in some columns only, such as a sum: by the columns' names. */
export function SomeCells(props: {
  columns: readonly TableColumn<never, never>[];
  of: Readonly<Record<string, ReactNode>>;
}) {
  return props.columns.map(({ id, align = '', className = '', room }) => (
    <td key={id} className={`${align} ${className}`} data-fits={isSureToFit(props.of[id] ?? '', room) ? '' : undefined}>
      {props.of[id]}
    </td>
  ));
}

/** The heads of the columns; drawn anew only when a column changed, not with every row. */
const HeadRow = memo(
  function HeadRow<T extends RowData, C extends TableColumn<T, never>>({ view }: { view: TableView<T, C> }) {
    return (
      <thead>
        <tr>
          {view.shown.map((column) => (
            <Head key={column.id} view={view} column={column} />
          ))}
        </tr>
      </thead>
    );
  },
  ({ view: old }, { view: next }) => sameColumns(old, next),
) as <T extends RowData, C extends TableColumn<T, never>>(props: { view: TableView<T, C> }) => ReactNode;

/** What a dragged head carries: the name of its column. */
const DRAGGED = 'text/plain';

function Head<T extends RowData, C extends TableColumn<T, never>>({
  view,
  column,
}: {
  view: TableView<T, C>;
  column: C;
}) {
  const { id, name, head, title, align = '', className = '', sortedBy } = column;
  const [first, second] = head;
  const sorted = view.sort?.id !== id ? false : view.sort.desc ? 'desc' : 'asc';
  const text = (
    <span className={styles.text}>
      {first ?? <span className="only-read">{name}</span>}
      {sorted !== false && (sorted === 'asc' ? <ArrowUp aria-hidden="true" /> : <ArrowDown aria-hidden="true" />)}
      {second !== undefined && <small>{second}</small>}
    </span>
  );
  const unsorted = 'Sorted once every row is read: choose a shorter time or a narrower filter';
  const why = sortedBy !== undefined && !view.whole ? [title, unsorted].filter(Boolean).join('. ') : title;
  return (
    <th
      scope="col"
      aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
      className={`${align} ${className}`}
      title={why}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, id)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const dragged = event.dataTransfer.getData(DRAGGED);
        const place = view.ordered.findIndex((other) => other.id === id);
        if (view.ordered.some((other) => other.id === dragged)) view.move(dragged, place);
      }}
    >
      {sortedBy !== undefined && view.whole ? (
        <button type="button" className={styles.sort} onClick={() => view.sortBy(id)}>
          {text}
        </button>
      ) : (
        text
      )}
      <Edge onMove={(by) => view.widen(id, by)} onReset={() => view.unsize(id)} />
    </th>
  );
}

/** The right edge of a column: dragged it makes the column wider, pressed twice as wide as it was at first. */
function Edge({ onMove, onReset }: { onMove: (by: number) => void; onReset: () => void }) {
  const from = useRef<{ x: number; move: (by: number) => void } | null>(null);
  return (
    <i
      className={styles.edge}
      aria-hidden="true"
      // Not the head is dragged here, its edge is.
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        // From the widths of the moment of the press: each move begins there anew.
        from.current = { x: event.clientX, move: onMove };
      }}
      onPointerMove={(event) => from.current?.move(event.clientX - from.current.x)}
      onLostPointerCapture={() => {
        from.current = null;
      }}
      onDoubleClick={onReset}
    />
  );
}
