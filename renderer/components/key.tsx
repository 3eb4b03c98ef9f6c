import { keysText, type ShortcutId } from '../state/shortcuts.ts';

/** The keys that do what a button does, on the button. */
export function Key({ of, className }: { of: ShortcutId; className?: string }) {
  return <kbd className={className}>{keysText(of).replace('Enter', '⏎')}</kbd>;
}
