import { useSyncExternalStore } from 'react';

export type Theme = 'dark' | 'light';

const KEPT = 'makerdesk.theme';
const listeners = new Set<() => void>();

function currentTheme(): Theme {
  return document.documentElement.dataset.theme === 'light' ? 'light' : 'dark';
}

/** The theme chosen last; dark at first. */
export function applyKeptTheme(): void {
  document.documentElement.dataset.theme = localStorage.getItem(KEPT) === 'light' ? 'light' : 'dark';
}

export function toggleTheme(): void {
  setTheme(currentTheme() === 'dark' ? 'light' : 'dark');
}

export function setTheme(next: Theme): void {
  document.documentElement.dataset.theme = next;
  localStorage.setItem(KEPT, next);
  for (const listener of [...listeners]) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
}
