import { useEffect, useRef, useState } from 'react';
import { isWriting } from './keys.ts';

/** Space holds a live list still, and lets it go: while held, the list stays as it was. */
export function useHoldKey<T>(live: T): { held: boolean; shown: T; toggle: () => void } {
  const [kept, setKept] = useState<{ value: T } | null>(null);
  const latest = useRef(live);
  latest.current = live;
  const toggle = useRef(() => setKept((now) => (now === null ? { value: latest.current } : null)));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const onControl =
        event.target instanceof HTMLElement && event.target.closest('button, a, [role=switch]') !== null;
      if (event.key !== ' ' || event.ctrlKey || event.metaKey || onControl || isWriting(event.target)) return;
      event.preventDefault();
      if (!event.repeat) toggle.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return { held: kept !== null, shown: kept === null ? live : kept.value, toggle: toggle.current };
}
