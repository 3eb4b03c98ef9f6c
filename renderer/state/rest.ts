/** An answer of the desk with how long it took. */
export interface Timed<T> {
  value: T;
  tookMs: number;
}

/** What takes long is asked for less often, so that the desk is never busy with it for more than a twentieth. Milliseconds. */
const SOONEST = 2_000;
const REST = 20;

export async function timed<T>(ask: () => Promise<T>): Promise<Timed<T>> {
  const began = performance.now();
  const value = await ask();
  return { value, tookMs: performance.now() - began };
}

/** How long to wait before the same is asked for again. */
export function restAfter(last: { tookMs: number } | undefined): number {
  return Math.max(SOONEST, (last?.tookMs ?? 0) * REST);
}
