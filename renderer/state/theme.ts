import { useSyncExternalStore } from 'react';
import { keptChoice } from './kept-choice.ts';

/** What the viewer chose: `system` is as the computer has it. */
export type Theme = 'system' | 'dark' | 'light';

const choice = keptChoice<Theme>('makerdesk.theme', (kept) => (kept === 'light' || kept === 'dark' ? kept : 'system'));
export const setTheme = choice.set;

/** The theme chosen last, from the first paint on; without a choice that of the computer, also when it changes. */
export function followTheme(page: Window): void {
  const light = page.matchMedia('(prefers-color-scheme: light)');
  const show = () => {
    const chosen = choice.now();
    page.document.documentElement.dataset.theme = chosen !== 'system' ? chosen : light.matches ? 'light' : 'dark';
  };
  choice.follow(page);
  choice.subscribe(show);
  light.addEventListener('change', show);
  show();
}

/** The other one than is shown. */
export function toggleTheme(): void {
  setTheme(document.documentElement.dataset.theme === 'light' ? 'dark' : 'light');
}

export function useTheme(): Theme {
  return useSyncExternalStore(choice.subscribe, choice.now);
}
