import { useSyncExternalStore } from 'react';
import { useConsole } from './console.tsx';
import type { DeskStore } from './desk-store.ts';

/** One tick for the whole screen, so that all ages and countdowns change together. */
export function openClock(everyMs: number): { subscribe(listener: () => void): () => void; tick(): number } {
  const listeners = new Set<() => void>();
  let tick = 0;
  setInterval(() => {
    tick += 1;
    for (const listener of [...listeners]) listener();
  }, everyMs);
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tick: () => tick,
  };
}

let clock: ReturnType<typeof openClock> | null = null;

function screenClock(): ReturnType<typeof openClock> {
  clock ??= openClock(500);
  return clock;
}

/** The desk's time in Unix milliseconds, anew twice a second. */
export function useDeskNow(): number {
  const desk: DeskStore = useConsole().desk;
  const { subscribe, tick } = screenClock();
  useSyncExternalStore(subscribe, tick);
  return desk.now();
}
