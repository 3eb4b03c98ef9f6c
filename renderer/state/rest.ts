/** An answer of the desk with how long it took. */
export interface Timed<T> {
  value: T;
  tookMs: number;
}

/**
 * What takes long is asked for less often, so that the desk is never busy with it for more than a twentieth. Only a first answer, of a
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

/** How long to wait before the same is asked for again, after as many answers. */
export function restAfter(answers: { data: { tookMs: number } | undefined; dataUpdateCount: number }): number {
  const rest = Math.max(SOONEST, (answers.data?.tookMs ?? 0) * REST);
  return answers.dataUpdateCount > 1 ? rest : Math.min(LATEST, rest);
}
