import { Notification } from 'electron';
import type { Attention } from '../contract/desk-view.ts';
import type { OwnDeskState } from '../contract/desks-elsewhere.ts';

const SENTENCES: Partial<Record<OwnDeskState, { title: string; body: string }>> = {
  HALTED: {
    title: 'The desk is HALTED',
    body: 'No signature leaves it. What was signed stays fillable until it expires.',
  },
  DRAIN: { title: 'The desk drains', body: 'No grid is served any more; it halts by itself.' },
  silent: { title: 'The desk does not answer', body: 'It may still be quoting. Halt is in the tray.' },
  ended: { title: 'The desk is not running', body: 'Nothing is quoted, and fills are not seen.' },
};

/** What a change of state says, or null where nobody has to be told. `isBack`: the desk was silent or ended before. */
export function noticeOf(state: OwnDeskState, isBack: boolean): { title: string; body: string } | null {
  if (!isBack) return SENTENCES[state] ?? null;
  return { title: `The desk answers again: ${state}`, body: SENTENCES[state]?.body ?? 'It trades.' };
}

/** Shows a notice of the operating system, which a click answers with the window. */
export function showNotice({ title, body }: { title: string; body: string }, show: () => void): void {
  if (!Notification.isSupported()) return;
  const notice = new Notification({ title, body, urgency: 'critical' });
  notice.on('click', show);
  notice.show();
}

/** One notice for all that stopped at once. */
export function noticeOfStopped(news: readonly Attention[]): { title: string; body: string } | null {
  const [first] = news;
  if (first === undefined) return null;
  return {
    title: first.title,
    body: news.length === 1 ? first.detail : `${first.detail} And ${news.length - 1} more.`,
  };
}
