import { useSyncExternalStore } from 'react';
import { createEmitter } from './emitter.ts';

export type Theme = 'dark' | 'light';

const KEPT = 'makerdesk.theme';
const { subscribe, emit } = createEmitter();

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
  emit();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}
