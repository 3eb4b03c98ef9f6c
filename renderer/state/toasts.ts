import { createEmitter } from './emitter.ts';

export interface Toast {
  id: number;
  /** Unix milliseconds by the desk's clock. */
  at: number;
  level: 'done' | 'note' | 'look' | 'stop';
  title: string;
  detail?: string;
  /** It stands among the alerts, too, and can be read there later. */
  isAlert?: boolean;
  /** It stays until somebody dismisses it. */
  isKept?: boolean;
  /** It takes the place of what was said before about the same. */
  about?: string;
}

export interface ToastStore {
  list(): readonly Toast[];
  /** How many more alerts came while the page was not seen than stand in the list. */
  folded(): number;
  subscribe(listener: () => void): () => void;
  show(toast: Omit<Toast, 'id' | 'at'>): void;
  dismiss(id: number): void;
  dismissAll(): void;
}

/** The gravest first. */
const GRAVITY: readonly Toast['level'][] = ['stop', 'look', 'note', 'done'];

/** So many of them as there is room for: the gravest, and of those the newest; in their order. */
export function gravest(toasts: readonly Toast[], room: number): readonly Toast[] {
  if (toasts.length <= room) return toasts;
  // Of those that stay only the newest goes before others: what goes by itself would not be seen.
  const newest = toasts.findLast(({ isKept }) => isKept === true);
  const gravity = (toast: Toast) =>
    toast.isKept === true && toast !== newest ? GRAVITY.length : GRAVITY.indexOf(toast.level);
  const first = toasts.toSorted((a, b) => gravity(a) - gravity(b) || b.id - a.id).slice(0, room);
  return toasts.filter((toast) => first.includes(toast));
}

const STAYS_MS = { done: 5_000, note: 4_000, look: 10_000, stop: 20_000 };
const STEP_MS = 250;
/** So many stand there at once; of more it is said how many. */
export const AT_ONCE = 3;
/** Of the alerts that come while the page is not seen so many are kept for whoever comes back; of more it is said how many. */
const MOST_UNSEEN = 5;

/**
 * Short news at the bottom right, the oldest first: each stays for its time, also where many come at once, or until it is dismissed. That
 * time is counted in steps, and only while the page `isSeen`: nothing is gone that nobody could read, because the page stood still or was
 * behind another. What stops something, or is to be looked at, waits for a place among those that stand there; what was done, or is only to
 * be known, is no news any more by then. `now` is the desk's time.
 */
export function openToasts(isSeen: () => boolean = () => true, now: () => number = Date.now): ToastStore {
  const { subscribe, emit } = createEmitter();
  let toasts: readonly Toast[] = [];
  let folded = 0;
  let last = 0;
  const left = new Map<number, number>();
  let steps: ReturnType<typeof setInterval> | undefined;
  const set = (next: readonly Toast[]) => {
    toasts = next;
    emit();
  };
  const dismiss = (...ids: number[]) => {
    for (const id of ids) left.delete(id);
    if (left.size === 0) clearInterval(steps);
    set(toasts.filter((toast) => !ids.includes(toast.id)));
  };
  const step = () => {
    if (!isSeen()) return;
    const shown = gravest(toasts, AT_ONCE);
    for (const toast of toasts) {
      const waits = !shown.includes(toast) && (toast.level === 'stop' || toast.level === 'look');
      if (!waits) left.set(toast.id, (left.get(toast.id) ?? 0) - STEP_MS);
    }
    const over = [...left].filter(([, ms]) => ms <= 0).map(([id]) => id);
    if (over.length > 0) dismiss(...over);
  };
  const fold = () => {
    const alerts = toasts.filter(({ isAlert }) => isAlert === true);
    const kept = gravest(alerts, MOST_UNSEEN);
    const over = alerts.filter((alert) => !kept.includes(alert)).map(({ id }) => id);
    folded += over.length;
    if (over.length > 0) dismiss(...over);
  };
  return {
    list: () => toasts,
    folded: () => folded,
    subscribe,
    show: (toast) => {
      const id = ++last;
      const { about } = toast;
      if (about !== undefined) dismiss(...toasts.filter((other) => other.about === about).map((other) => other.id));
      if (left.size === 0) steps = setInterval(step, STEP_MS);
      left.set(id, toast.isKept === true ? Number.POSITIVE_INFINITY : STAYS_MS[toast.level]);
      set([...toasts, { ...toast, id, at: now() }]);
      if (!isSeen()) fold();
    },
    dismiss: (id) => dismiss(id),
    dismissAll: () => {
      folded = 0;
      dismiss(...left.keys());
    },
  };
}
