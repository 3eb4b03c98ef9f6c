import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { createKeyReader, isWriting } from './shortcuts.ts';
import { useDrain } from './use-drain.ts';

/** Listens before any dialog or field does. The keys of the halt are heard earlier still (listenForHaltKey). */
export function useGlobalKeys({ onKeys, onSearch }: { onKeys: () => void; onSearch: () => void }): void {
  const drain = useDrain();
  const [, navigate] = useLocation();
  useEffect(() => {
    const read = createKeyReader();
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, code, ctrlKey, metaKey, shiftKey, altKey, repeat } = event;
      const writing = isWriting(event.target);
      const meant = read({ key, code, ctrlKey, metaKey, shiftKey, altKey, repeat, writing }, event.timeStamp);
      if (meant === null) return;
      if (meant.kind === 'drain') drain({});
      else if (meant.kind === 'go') navigate(meant.path);
      else if (meant.kind === 'search') onSearch();
      else onKeys();
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [drain, navigate, onKeys, onSearch]);
}
