import { useSyncExternalStore } from 'react';
import { dayText } from '../components/figures/times.ts';
import { beats, followBeat } from './beat.ts';
import { useConsole } from './console.tsx';

/** The time of this computer in Unix milliseconds, anew twice a second. */
export function useNow(): number {
  useSyncExternalStore(followBeat, beats);
  return Date.now();
}

/** Which day it is on the desk; drawn anew only with the next one. */
export function useDeskDay(): string {
  const { desk } = useConsole();
  return useSyncExternalStore(followBeat, () => dayText(desk.now()));
}

/** The desk's time in Unix milliseconds, anew twice a second. */
export function useDeskNow(): number {
  const { desk } = useConsole();
  useNow();
  return desk.now();
}
