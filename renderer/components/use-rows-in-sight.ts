import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useSettled } from '../state/use-settled.ts';

export const ROW_HEIGHT = 24;
export const HEAD_HEIGHT = 36;

/** Which rows of a long list are in sight of its scroller, under a head that stays. `height` is that of the scroller as far as it is known. */
export function useRowsInSight(count: number, height = 0) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    initialRect: { width: 0, height },
    // Rows beyond those in sight, so that scrolling shows no gap.
    overscan: useSettled() ? 12 : 0,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  return { scroller, list, items: list.getVirtualItems() };
}
