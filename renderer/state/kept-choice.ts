import { createEmitter } from './emitter.ts';

/** A choice of the viewer, kept on this computer and the same in every window of this desk. */
export interface KeptChoice<T extends string> {
  now(): T;
  set(next: T): void;
  subscribe(listener: () => void): () => void;
  /** Reads what was kept, and follows what other windows choose. */
  follow(page: Pick<Window, 'localStorage' | 'addEventListener'>): void;
}

/** `read` makes a choice of what was kept; of nothing, and of what no choice is, the usual one. */
export function keptChoice<T extends string>(name: string, read: (kept: string | null) => T): KeptChoice<T> {
  const { subscribe, emit } = createEmitter();
  let value = read(null);
  let storage: Storage | null = null;
  return {
    now: () => value,
    set: (next) => {
      value = next;
      storage?.setItem(name, next);
      emit();
    },
    subscribe,
    follow: (page) => {
      storage = page.localStorage;
      value = read(storage.getItem(name));
      page.addEventListener('storage', ({ key, newValue }) => {
        if (key !== null && key !== name) return;
        value = read(newValue);
        emit();
      });
    },
  };
}
