import { startTransition, useEffect, useState } from 'react';
import { useSettled } from '../../state/use-settled.ts';
import type { FillBars } from './fill-bars.tsx';

/** The chart library is most of the console's bytes: it is read when the screen has nothing to do. */
export const readFillBars = () => import('./fill-bars.tsx');

/**
 * The chart of bars, once the page has its figures (`ready`) and nothing else to do: it takes longer to draw than the
 * rest of the page. Null until then; the page and its handles work without.
 */
export function useFillBars(ready: boolean): typeof FillBars | null {
  const settled = useSettled(ready);
  const [chart, setChart] = useState<typeof FillBars | null>(null);
  useEffect(() => {
    if (!settled) return;
    readFillBars().then(
      (read) => startTransition(() => setChart(() => read.FillBars)),
      () => {}, // The line is gone: the next opening of the page reads it again.
    );
  }, [settled]);
  return chart;
}
