/** An answer of the desk with how long it took. */
export interface Timed<T> {
  value: T;
  tookMs: number;
}

/**
 * What takes long is asked for less often, so that the desk is not busy with it for more than a twentieth; but one slow answer, of a
 * desk that had just started, say, leaves nobody with figures that are older than LATEST. Milliseconds.
 */
const SOONEST = 2_000;
const LATEST = 30_000;
const REST = 20;

export async function timed<T>(ask: () => Promise<T>): Promise<Timed<T>> {
  const began = performance.now();
  const value = await ask();
  return { value, tookMs: performance.now() - began };
}

/** How long to wait before the same is asked for again. */
export function restAfter(last: { tookMs: number } | undefined): number {
  return Math.min(LATEST, Math.max(SOONEST, (last?.tookMs ?? 0) * REST));
}
