import { useLater } from '../../state/use-later.ts';
import type { FillBars } from './fill-bars.tsx';

/** The chart library is most of the console's bytes: it is read when the screen has nothing to do. */
export const readFillBars = () => import('./fill-bars.tsx');

/** The chart of bars, once the page has its figures (`ready`); its handles work without. */
export function useFillBars(ready: boolean): typeof FillBars | null {
  return useLater(ready, async () => (await readFillBars()).FillBars);
}
