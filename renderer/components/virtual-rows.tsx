import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSettled } from '../state/use-settled.ts';
import { Scroll } from './scroll.tsx';
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
    <Scroll
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
    </Scroll>
  );
}
