import { type RefCallback, useCallback, useRef, useState } from 'react';

/** The size of an element as it is on the screen, without its padding, in CSS pixels. What depends on it is drawn with the element's first frame. */
export function useSize<T extends HTMLElement>(): { ref: RefCallback<T>; width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const observer = useRef<ResizeObserver | null>(null);
  const ref = useCallback((element: T | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    const take = (measured: { width: number; height: number }) => {
      const [width, height] = [Math.floor(measured.width), Math.floor(measured.height)];
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    // An observer tells a size only behind the first frame, which would be drawn without what depends on it.
    take(contentOf(element));
    observer.current = new ResizeObserver(([entry]) => entry !== undefined && take(entry.contentRect));
    observer.current.observe(element);
  }, []);
  return { ref, ...size };
}

function contentOf(element: HTMLElement): { width: number; height: number } {
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(element);
  return {
    width: element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight),
    height: element.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom),
  };
}
