import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useConsole, useDesk } from './console.tsx';
import { GUIDE_PATH } from './guide.ts';
import { nameIn, PAGES, STOPS_PATH } from './pages.ts';

/** Opens the page that is shown once more: in the desktop app in a window of its own, in a browser in a tab. */
export function openWindow(): void {
  window.open(window.location.href);
}

/** Names this window or tab after its page and the desk's state, so that one of several is found by its name. */
export function useTitle(): void {
  const [location] = useLocation();
  const state = useDesk((view) => view.status?.state ?? null);
  const { elsewhere } = useConsole();
  const title = titleOf(location, state, elsewhere);
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Pages that the navigation does not name. */
const HIDDEN: Partial<Record<string, string>> = { [STOPS_PATH]: 'Stops', [GUIDE_PATH]: 'Guide' };

/** `Firm log · LIVE · Makerdesk`; the pair or token that the address names comes first, and before all the desk, where it is elsewhere. */
export function titleOf(location: string, state: string | null, elsewhere: string | null = null): string {
  const [, first = '', , named] = location.split('/');
  const name = HIDDEN[`/${first}`] ?? PAGES.find(({ path }) => path === `/${first}`)?.name;
  return [elsewhere, named === undefined ? undefined : nameIn(named), name, state, 'Makerdesk']
    .filter((part) => part !== undefined && part !== null)
    .join(' · ');
}
