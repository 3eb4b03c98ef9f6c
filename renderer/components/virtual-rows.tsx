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
  row: (row: T, style: { transform: string }) => ReactNode;
  /** The row to keep in sight. */
  show?: number;
}) {
  const { rows, show } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    // Rows beyond those in sight, so that scrolling shows no gap.
    overscan: useSettled() ? 12 : 0,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  const items = list.getVirtualItems();
  useEffect(() => {
    if (show !== undefined && show >= 0) list.scrollToIndex(show, { align: 'auto' });
  }, [show, list]);
  return (
    <Scroll ref={scroller} data-rows={props.name}>
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
