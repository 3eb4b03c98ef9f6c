import { startTransition, useEffect, useState } from 'react';

/** At the latest. Milliseconds. */
const WITHIN = 500;

/**
 * False while a page opens, true from the first quiet moment after it: what the page can do without waits until then.
 * With `ready` the quiet moment is one after that came true: an idle screen may still wait for the desk.
 */
export function useSettled(ready = true): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    if (!ready) return;
    const idle = requestIdleCallback(() => startTransition(() => setSettled(true)), { timeout: WITHIN });
    return () => cancelIdleCallback(idle);
  }, [ready]);
  return settled;
}
