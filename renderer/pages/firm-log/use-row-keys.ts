import { useState } from 'react';
import type { QuoteRow } from '../../../electron/contract/quote-log.ts';
import { useShortcuts } from '../../state/shortcuts.ts';

/** J and K go through the rows, Enter or X opens the marked one, Esc or X closes the drawer; an open drawer follows. */
export function useRowKeys(rows: readonly QuoteRow[], opened: number | null, onOpen: (seq: number | null) => void) {
  const [marked, mark] = useState<number | null>(null);
  useShortcuts({
    close: () => (opened === null ? false : onOpen(null)),
    openRow: () => (marked === null ? false : onOpen(marked)),
    xray: () => onOpen(opened === null ? (marked ?? rows[0]?.seq ?? null) : null),
    logRow: (key) => {
      const at = rows.findIndex((row) => row.seq === marked);
      const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + (key === 0 ? 1 : -1)))];
      if (next === undefined) return;
      mark(next.seq);
      if (opened !== null) onOpen(next.seq);
    },
  });
  return { marked, mark };
}
