import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 look for memory that is not used any more on all processors but one. By itself it takes up to seven threads, as many as
 * Node has: beside them, on a machine of two processors, quotes waited for up to a quarter of a second every half minute.
 */
export function collectMemoryBeside(): void {
  setFlagsFromString(`--concurrent-marking-max-worker-num=${Math.max(1, availableParallelism() - 1)}`);
}
