import { globalShortcut } from 'electron';

export const HALT_KEYS = 'CommandOrControl+Shift+H';

/** Halts from anywhere, whatever program has the focus. Answers false when another program holds these keys. */
export function registerHotkeys(halt: () => void): boolean {
  return globalShortcut.register(HALT_KEYS, halt);
}
