import { type RefCallback, useCallback, useRef, useState } from 'react';

/** The size of an element as it is on the screen, in CSS pixels. */
export function useSize<T extends HTMLElement>(): { ref: RefCallback<T>; width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const observer = useRef<ResizeObserver | null>(null);
  const ref = useCallback((element: T | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    observer.current = new ResizeObserver(([entry]) => {
      if (entry !== undefined)
        setSize({ width: Math.floor(entry.contentRect.width), height: Math.floor(entry.contentRect.height) });
    });
    observer.current.observe(element);
  }, []);
  return { ref, ...size };
}
