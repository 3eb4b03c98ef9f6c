import { useState } from 'react';

/**
 * Holds a live list still, and lets it go (`toggle`). So does anything else that reads a row (`reading`): then new rows wait,
 * and none moves under a hand. Rows that are shown go on changing in place. `newest` is the highest sequence number so far.
 */
export function useHold(
  newest: number,
  reading: boolean,
): { held: boolean; bound: number; toggle: () => void; showNew: () => void } {
  const [pressed, setPressed] = useState(false);
  const [bound, setBound] = useState<number | null>(null);
  const holding = pressed || reading;
  const next = boundOf(bound, holding, newest);
  if (next !== bound) setBound(next);
  // A list without a row has nothing to hold: it would stop at its first one.
  const toggle = () => setPressed((now) => !now && newest >= 0);
  return {
    held: pressed,
    bound: next ?? Number.POSITIVE_INFINITY,
    toggle,
    /** What waits is shown; what comes from now on waits again as long as a row is read. */
    showNew: () => setBound(null),
  };
}

/**
 * The last row that a held list shows; null while nothing is held. A list that is begun anew, such as by another filter, has no
 * rows for a moment (`newest` is below 0): what it then holds is what it comes to show, not what the list before it showed.
 */
export function boundOf(bound: number | null, holding: boolean, newest: number): number | null {
  if (!holding || newest < 0) return null;
  return bound ?? newest;
}
