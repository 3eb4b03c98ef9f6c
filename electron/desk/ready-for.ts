import { fstatSync } from 'node:fs';
import type { DeskReady } from '../contract/process-messages.ts';

/**
 * Where a desk listens, as it may be said on stdout (1) or stderr (2): the address of the console without its token where that is the
 * system's journal, which is kept and which others may read; `makerdesk console` tells it whole.
 */
export function readyFor(stream: 1 | 2, ready: DeskReady): DeskReady {
  if (ready.console === null || !isSystemJournal(stream)) return ready;
  const address = new URL(ready.console);
  address.hash = '';
  return { ...ready, console: address.href };
}

/** systemd says which file its journal has given us; what was redirected since is another one. */
function isSystemJournal(stream: 1 | 2): boolean {
  const { JOURNAL_STREAM: journal } = process.env;
  if (journal === undefined) return false;
  try {
    const { dev, ino } = fstatSync(stream, { bigint: true });
    return journal === `${dev}:${ino}`;
  } catch {
    return true;
  }
}
