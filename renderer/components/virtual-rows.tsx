import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSettled } from '../state/use-settled.ts';
import { type Read, ReadState } from './empty.tsx';
import { Table } from './table.tsx';
import styles from './virtual-rows.module.css';

const ROW_HEIGHT = 24;
const HEAD_HEIGHT = 36;

/** A long list of which only the rows in sight are drawn. Each row is placed by the style it is given. */
export function VirtualRows<T>(props: {
  name: string;
  /** Stays in sight over the rows. */
  head: ReactNode;
  rows: readonly T[];
  keyOf: (row: T) => string | number;
  row: (row: T, style: { transform: string }) => ReactNode;
  /** Called when the last row comes near. */
  onEnd?: () => void;
  /** The row to keep in sight. */
  show?: number | null;
  /** Told when somebody begins or ends to read: the pointer is on the rows, or they are scrolled down. */
  onReading?: (reading: boolean) => void;
}) {
  const { rows, keyOf, onEnd, show, onReading } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    // Rows beyond those in sight, so that scrolling shows no gap.
    overscan: useSettled() ? 12 : 0,
    scrollPaddingStart: HEAD_HEIGHT,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  const items = list.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 20) onEnd?.();
  }, [last, rows.length, onEnd]);
  useEffect(() => {
    if (show !== null && show !== undefined && show >= 0) list.scrollToIndex(show, { align: 'auto' });
  }, [show, list]);
  return (
    <div
      className="scroll"
      ref={scroller}
      data-rows={props.name}
      onPointerEnter={() => onReading?.(true)}
      onPointerLeave={(event) => onReading?.(event.currentTarget.scrollTop > 0)}
      onScroll={(event) => onReading?.(event.currentTarget.scrollTop > 0 || event.currentTarget.matches(':hover'))}
    >
      {props.head}
      <div className={styles.rows} style={{ height: list.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : props.row(row, { transform: `translateY(${item.start}px)` });
        })}
      </div>
    </div>
  );
}

/**
 * A table in a panel. Of a long one only the rows in sight are drawn; two empty rows keep the place of the others. While it
 * has no row there stands what its read has to say, or why there is none: the children.
 */
export function RowTable<T>(props: {
  rows: readonly T[];
  row: (row: T) => ReactNode;
  head: ReactNode;
  foot?: ReactNode;
  read?: Read;
  /** How many bars stand for the rows on their way. */
  bars?: number;
  isBusy?: boolean;
  children: ReactNode;
}) {
  const { rows, row, head, foot, read, bars, isBusy, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    // Rows beyond those in sight, so that scrolling shows no gap.
    overscan: useSettled() ? 10 : 0,
  });
  const items = list.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const end = (items.at(-1)?.index ?? -1) + 1;
  return (
    <div className="scroll" ref={scroller}>
      {read !== undefined && <ReadState read={read} rows={bars} />}
      {rows.length === 0 && (read === undefined || (!read.isPending && read.error === null)) && children}
      {rows.length > 0 && (
        <Table aria-busy={isBusy}>
          {head}
          <tbody>
            {first > 0 && <tr style={{ height: first * ROW_HEIGHT }} />}
            {rows.slice(first, end).map(row)}
            {end < rows.length && <tr style={{ height: (rows.length - end) * ROW_HEIGHT }} />}
          </tbody>
          {foot}
        </Table>
      )}
    </div>
  );
}
