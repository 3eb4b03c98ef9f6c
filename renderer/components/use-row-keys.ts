import { useState } from 'react';
import { useShortcuts } from '../state/shortcuts.ts';

/** J and K go through the rows, Enter opens the marked one, Esc closes it; what is open follows. */
export function useRowKeys(
  rows: readonly { seq: number }[],
  opened: number | null,
  onOpen: (seq: number | null) => void,
) {
  const [last, mark] = useState<number | null>(null);
  // A row that another filter found is not marked any more.
  const marked = rows.some(({ seq }) => seq === last) ? last : null;
  useShortcuts({
    close: () => (opened === null ? false : onOpen(null)),
    openRow: () => (marked === null ? false : onOpen(marked)),
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
