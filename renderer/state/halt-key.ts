import { pressedAt } from './shortcuts.ts';

/**
 * From now on the keys of the halt do `act`: before anything is on the screen, while a dialog or a field has the focus, and also where the
 * page broke. A key that is held down is one press. Returns what ends that.
 */
export function listenForHaltKey(target: Window, act: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (pressedAt('halt', event) < 0) return;
    if (!event.repeat) act();
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  target.addEventListener('keydown', onKeyDown, { capture: true });
  return () => target.removeEventListener('keydown', onKeyDown, { capture: true });
}
