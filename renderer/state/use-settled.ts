import { startTransition, useEffect, useState } from 'react';

/** At the latest. Milliseconds. */
const WITHIN = 500;

/** False while a page opens, true from the first quiet moment after it: what the page can do without waits until then. */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const idle = requestIdleCallback(() => startTransition(() => setSettled(true)), { timeout: WITHIN });
    return () => cancelIdleCallback(idle);
  }, []);
  return settled;
}
