import { useEffect } from 'react';
import { isWriting } from '../../state/keys.ts';

/** J and K go through the unhedged fills; Space, on a fill, chooses it. */
export function useFillKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const step = { j: 1, k: -1 }[event.key.toLowerCase()];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      const boxes = [...document.querySelectorAll<HTMLInputElement>('[data-fill]:enabled')].sort(
        (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
      );
      const at = boxes.indexOf(document.activeElement as HTMLInputElement);
      const next = at < 0 ? boxes[0] : boxes[at + step];
      next?.focus();
      next?.scrollIntoView({ block: 'nearest' });
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
