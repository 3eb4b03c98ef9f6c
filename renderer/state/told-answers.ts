import type { Approval } from '../../electron/contract/approvals.ts';
import { becameText } from './approval-words.ts';
import type { Connection } from './connection.ts';
import type { DeskStore } from './desk-store.ts';
import type { ToastStore } from './toasts.ts';

/** What ended longer ago is looked for no more. */
const MOST_LOOKED_AT = 50;

/**
 * Tells whoever asked for a second person what became of it, on whatever page they are, also where it was answered while this
 * screen had lost the desk. What they took back themselves is no news. `carriedOut` is called, on every screen, once something was:
 * whatever is shown of the desk may be another.
 */
export function tellAnswers(connection: Connection, desk: DeskStore, toasts: ToastStore, carriedOut: () => void): void {
  let last = desk.view().approvals;
  let own: readonly Approval[] = [];
  const tell = async (over: readonly Approval[]) => {
    // A line that is lost meanwhile costs a notice: it stands on Approvals and in the journal.
    const { past } = await connection.client.approvals.list({ limit: MOST_LOOKED_AT }).catch(() => ({ past: [] }));
    for (const { seq } of over) {
      const found = past.find((one) => one.seq === seq);
      const how = found?.ended?.how;
      if (found === undefined || how === 'withdrawn') continue;
      toasts.show({ level: how === 'done' ? 'done' : 'look', title: found.says, detail: becameText(found) });
    }
  };
  desk.subscribe(() => {
    const { status, token, approvals } = desk.view();
    if (status === null || approvals === last) return;
    const ended = last.underWay.filter((one) => approvals.underWay.every(({ seq }) => seq !== one.seq));
    last = approvals;
    if (ended.length > 0) carriedOut();
    const now = [...approvals.waiting, ...approvals.underWay].filter((one) => one.token === token);
    const over = own.filter(({ seq }) => now.every((one) => one.seq !== seq));
    own = now;
    if (over.length > 0) void tell(over);
  });
}
