import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useRef } from 'react';
import { useSettled } from '../state/use-settled.ts';

const ROW_HEIGHT = 24;

export interface RowWindow {
  scroller: RefObject<HTMLDivElement | null>;
  /** The rows to draw, and the heights of those above and below that are not. */
  first: number;
  end: number;
  above: number;
  below: number;
}

/** Of a long table only the rows in sight are drawn; two empty rows keep the place of the others. */
export function useRowWindow(count: number): RowWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    // Rows beyond those in sight, so that scrolling shows no gap.
    overscan: useSettled() ? 10 : 0,
  });
  const items = list.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const end = (items.at(-1)?.index ?? -1) + 1;
  return { scroller, first, end, above: first * ROW_HEIGHT, below: (count - end) * ROW_HEIGHT };
}
