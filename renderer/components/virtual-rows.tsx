import { type ReactNode, useEffect } from 'react';
import { Scroll } from './scroll.tsx';
import { useRowsInSight } from './use-rows-in-sight.ts';
import styles from './virtual-rows.module.css';

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
  const { scroller, list, items } = useRowsInSight(rows.length);
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
