import { createEmitter } from './emitter.ts';

/** The longest and the shortest time between two beats. Milliseconds. */
const [LONGEST_MS, SHORTEST_MS] = [550, 400];

const { subscribe, emit } = createEmitter();
let count = 0;
let last = 0;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** How many beats there were. */
export const beats = () => count;

/**
 * One beat for the whole screen, about twice a second, so that all ages and countdowns change together; it begins with the first
 * that follows it.
 */
export function followBeat(listener: () => void): () => void {
  waiting ??= setTimeout(beat, LONGEST_MS);
  return subscribe(listener);
}

/** Resolves with the next beat: what waits for it is drawn in the frame of the figures. */
export function nextBeat(): Promise<void> {
  return new Promise((resolve) => {
    const unfollow = followBeat(() => {
      unfollow();
      resolve();
    });
  });
}

/** The figures of the desk are drawn anew: ages and countdowns come with them, in the same frame, where their beat is near. */
export function beatWithFigures(): void {
  if (waiting !== undefined && performance.now() - last >= SHORTEST_MS) beat();
}

function beat(): void {
  clearTimeout(waiting);
  waiting = setTimeout(beat, LONGEST_MS);
  last = performance.now();
  count += 1;
  emit();
}
