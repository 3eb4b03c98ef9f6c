import { useSyncExternalStore } from 'react';
import { dayText } from '../components/figures/times.ts';
import { useConsole } from './console.tsx';
import { createEmitter } from './emitter.ts';

const { subscribe, emit } = createEmitter();
let tick = 0;
let begun = false;

/** One tick for the whole screen, so that all ages and countdowns change together; it begins with the first of them. */
function follow(listener: () => void): () => void {
  if (!begun) {
    setInterval(() => {
      tick += 1;
      emit();
    }, 500);
  }
  begun = true;
  return subscribe(listener);
}

/** The time of this computer in Unix milliseconds, anew twice a second. */
export function useNow(): number {
  useSyncExternalStore(follow, () => tick);
  return Date.now();
}

/** Which day it is on the desk; drawn anew only with the next one. */
export function useDeskDay(): string {
  const { desk } = useConsole();
  return useSyncExternalStore(follow, () => dayText(desk.now()));
}

/** The desk's time in Unix milliseconds, anew twice a second. */
export function useDeskNow(): number {
  const { desk } = useConsole();
  useNow();
  return desk.now();
}
