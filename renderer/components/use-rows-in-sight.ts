import { elementScroll, useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useSettled } from '../state/use-settled.ts';

export const ROW_HEIGHT = 24;
export const HEAD_HEIGHT = 36;

/**
 * Which rows of a long list are in sight of its scroller, under a head that stays. `height` is that of the scroller as far as it
 * is known: then nothing asks for its size or place before the page is whole, which would cost a layout of its own.
 */
export function useRowsInSight(count: number, height = 0) {
  const scroller = useRef<HTMLDivElement>(null);
  const isNew = useRef(true);
  const list = useVirtualizer<HTMLDivElement, Element>({
    count,
    getScrollElement: () => scroller.current,
    observeElementRect: (instance, tell) => {
      const element = instance.scrollElement;
      if (element === null) return;
      if (height === 0) tell({ width: element.offsetWidth, height: element.offsetHeight });
      const observer = new ResizeObserver(([entry]) => {
        const box = entry?.borderBoxSize[0];
        if (box !== undefined) tell({ width: Math.round(box.inlineSize), height: Math.round(box.blockSize) });
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    // A new scroller is at its top.
    scrollToFn: (offset, options, instance) => {
      if (!isNew.current || offset !== 0) elementScroll(offset, options, instance);
      isNew.current = false;
    },
    estimateSize: () => ROW_HEIGHT,
    initialRect: { width: 0, height },
    // Rows beyond those in sight, so that scrolling shows no gap.
    overscan: useSettled() ? 12 : 0,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  return { scroller, list, items: list.getVirtualItems() };
}
