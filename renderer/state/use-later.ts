import { startTransition, useEffect, useRef, useState } from 'react';
import { useSettled } from './use-settled.ts';

/**
 * A part of the screen that is read once the page has its figures (`ready`) and nothing else to do: it takes longer to draw
 * than the rest of the page. Null until then; the page works without.
 */
export function useLater<T>(ready: boolean, read: () => Promise<T>): T | null {
  const settled = useSettled(ready);
  const [part, setPart] = useState<T | null>(null);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    if (!settled) return;
    latest.current().then(
      (found) => startTransition(() => setPart(() => found)),
      () => {}, // The line is gone: the next opening of the page reads it again.
    );
  }, [settled]);
  return part;
}
