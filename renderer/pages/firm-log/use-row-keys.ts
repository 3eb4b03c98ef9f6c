import { useEffect, useRef, useState } from 'react';
import type { QuoteRow } from '../../../electron/contract/quote-log.ts';
import { isWriting } from '../../state/keys.ts';

/** J and K go through the rows, Enter or X opens the marked one, Esc or X closes the drawer; an open drawer follows. */
export function useRowKeys(rows: readonly QuoteRow[], opened: number | null, onOpen: (seq: number | null) => void) {
  const [marked, mark] = useState<number | null>(null);
  const latest = useRef({ rows, opened, onOpen, marked });
  latest.current = { rows, opened, onOpen, marked };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isWriting(event.target)) return;
      const now = latest.current;
      const key = event.key.toLowerCase();
      if (event.key === 'Escape' && document.querySelector('[role=dialog]') === null) now.onOpen(null);
      if (event.key === 'Enter' && now.marked !== null && event.target === document.body) now.onOpen(now.marked);
      if (key === 'x') now.onOpen(now.opened === null ? (now.marked ?? now.rows[0]?.seq ?? null) : null);
      const step = key === 'j' ? 1 : key === 'k' ? -1 : 0;
      if (step === 0 || now.rows.length === 0) return;
      const at = now.rows.findIndex((row) => row.seq === now.marked);
      const next = now.rows[Math.max(0, Math.min(now.rows.length - 1, at < 0 ? 0 : at + step))];
      if (next === undefined) return;
      event.preventDefault();
      mark(next.seq);
      if (now.opened !== null) now.onOpen(next.seq);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return { marked, mark };
}
