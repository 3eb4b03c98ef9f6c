import { elementScroll, useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useSettled } from '../state/use-settled.ts';

export const ROW_HEIGHT = 24;
export const HEAD_HEIGHT = 36;

/**
 * Which rows of a long list are in sight of its scroller, under a head that stays. `height` is that of the scroller as far as it
 * is known: then nothing asks for its size or place before the page is whole, which would cost a layout of its own. `beyond`: so
 * many rows are drawn on each side of those, so that scrolling shows no gap.
 */
export function useRowsInSight(count: number, { height = 0, beyond = 12 }: { height?: number; beyond?: number } = {}) {
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
    overscan: useSettled() ? beyond : 0,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  const items = list.getVirtualItems();
  const [first, end] = [items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1];
  return { scroller, list, items, first, end };
}
