import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useConsole } from './console.tsx';
import { createKeyReader, isWriting } from './keys.ts';
import { refusalOf } from './refusal-of.ts';

/** Listens before any dialog or field does, so that nothing on the page can swallow a halt. */
export function useGlobalKeys({ onKeys }: { onKeys: () => void }): void {
  const { halt, connection, desk, toasts } = useConsole();
  const [, navigate] = useLocation();
  useEffect(() => {
    const read = createKeyReader();
    const drain = async () => {
      try {
        desk.acknowledge((await connection.client.trading.drain({ scope: {} })).status);
      } catch (error) {
        const { sentence, remedy } = refusalOf(error);
        toasts.show({ level: 'stop', title: `Not draining: ${sentence}`, detail: remedy });
      }
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, code, ctrlKey, metaKey, shiftKey, altKey, repeat } = event;
      const writing = isWriting(event.target);
      const meant = read({ key, code, ctrlKey, metaKey, shiftKey, altKey, repeat, writing }, event.timeStamp);
      if (meant === null) return;
      if (meant.kind === 'filter') {
        const field = document.querySelector<HTMLElement>('[data-filter]');
        if (field === null) return;
        field.focus();
      } else if (meant.kind === 'halt') halt.now();
      else if (meant.kind === 'drain') void drain();
      else if (meant.kind === 'go') navigate(meant.path);
      else onKeys();
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [halt, connection, desk, toasts, navigate, onKeys]);
}
