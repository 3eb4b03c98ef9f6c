import { useSyncExternalStore } from 'react';

const TALL = '(min-height: 960px)';

/** Whether the window is high enough for revisions below the other panels. */
export function useTall(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(TALL);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => window.matchMedia(TALL).matches,
  );
}
