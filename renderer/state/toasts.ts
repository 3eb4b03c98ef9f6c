import { createEmitter } from './emitter.ts';

export interface Toast {
  id: number;
  level: 'done' | 'note' | 'look' | 'stop';
  title: string;
  detail?: string;
}

export interface ToastStore {
  list(): readonly Toast[];
  subscribe(listener: () => void): () => void;
  show(toast: Omit<Toast, 'id'>): void;
  dismiss(id: number): void;
}

/** The gravest first. */
const GRAVITY: readonly Toast['level'][] = ['stop', 'look', 'note', 'done'];

/** So many of them as there is room for: the gravest, and of those the newest; in their order. */
export function gravest(toasts: readonly Toast[], room: number): readonly Toast[] {
  if (toasts.length <= room) return toasts;
  const gravity = ({ level }: Toast) => GRAVITY.indexOf(level);
  const first = toasts.toSorted((a, b) => gravity(a) - gravity(b) || b.id - a.id).slice(0, room);
  return toasts.filter((toast) => first.includes(toast));
}

const STAYS_MS = { done: 5_000, note: 4_000, look: 10_000, stop: 20_000 };

/** Short news at the bottom right, the oldest first: each stays for its time, also where many come at once. */
export function openToasts(): ToastStore {
  const { subscribe, emit } = createEmitter();
  let toasts: readonly Toast[] = [];
  let last = 0;
  const set = (next: readonly Toast[]) => {
    toasts = next;
    emit();
  };
  const dismiss = (id: number) => set(toasts.filter((toast) => toast.id !== id));
  return {
    list: () => toasts,
    subscribe,
    show: (toast) => {
      const id = ++last;
      set([...toasts, { ...toast, id }]);
      setTimeout(() => dismiss(id), STAYS_MS[toast.level]);
    },
    dismiss,
  };
}
