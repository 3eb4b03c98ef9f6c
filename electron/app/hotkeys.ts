import { globalShortcut } from 'electron';

export const HALT_KEYS = 'CommandOrControl+Shift+H';

/** How long until keys that another program holds are asked for again. Milliseconds. */
const AGAIN_MS = 2_000;

/**
 * Halts from anywhere, whatever program has the focus. Where another program holds these keys `held` is called once, and they
 * are asked for again until they are free.
 */
export function registerHotkeys(halt: () => void, held: () => void): void {
  if (globalShortcut.register(HALT_KEYS, halt)) return;
  held();
  const again = setInterval(() => {
    if (globalShortcut.register(HALT_KEYS, halt)) clearInterval(again);
  }, AGAIN_MS);
}
