import { type RefCallback, useCallback, useRef, useState } from 'react';

interface Size {
  width: number;
  height: number;
}

const NOT_MEASURED: Size = { width: 0, height: 0 };

/** How large what has a name was when it was last on the screen. */
const lastSizes = new Map<string, Size>();

/**
 * The size of an element as it is on the screen, without its padding, in CSS pixels. What depends on it is drawn with the
 * element's first frame. What has a `name` is drawn as large as it was last and measured then: mostly that is its size, and
 * nothing has to be drawn a second time.
 */
export function useSize<T extends HTMLElement>(name?: string): { ref: RefCallback<T>; width: number; height: number } {
  const [size, setSize] = useState(() => (name === undefined ? undefined : lastSizes.get(name)) ?? NOT_MEASURED);
  const observer = useRef<ResizeObserver | null>(null);
  const ref = useCallback(
    (element: T | null) => {
      observer.current?.disconnect();
      if (element === null) return;
      const take = (measured: Size) => {
        const [width, height] = [Math.floor(measured.width), Math.floor(measured.height)];
        if (name !== undefined) lastSizes.set(name, { width, height });
        setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
      };
      // Asked for before the page is whole, its size costs a layout of its own; an observer tells it only behind the first frame.
      if (name === undefined || !lastSizes.has(name)) take(contentOf(element));
      observer.current = new ResizeObserver(([entry]) => entry !== undefined && take(entry.contentRect));
      observer.current.observe(element);
    },
    [name],
  );
  return { ref, ...size };
}

function contentOf(element: HTMLElement): Size {
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(element);
  return {
    width: element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight),
    height: element.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom),
  };
}
