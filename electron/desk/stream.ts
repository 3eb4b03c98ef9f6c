/**
 * Turns a listener into an async iterator that ends with `signal`. What comes while the reader is away is folded into
 * one value, so that a slow reader gets the latest state and no queue grows.
 */
export async function* folded<T>(
  subscribe: (listener: (value: T) => void) => () => void,
  fold: (pending: T, next: T) => T,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void> {
  let pending: { value: T } | null = null;
  let wake: () => void = () => {};
  const unsubscribe = subscribe((value) => {
    pending = { value: pending === null ? value : fold(pending.value, value) };
    wake();
  });
  const stop = () => wake();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    while (!signal?.aborted) {
      const taken = pending as { value: T } | null;
      if (taken === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (pending !== null || signal?.aborted) resolve();
        });
        continue;
      }
      pending = null;
      yield taken.value;
    }
  } finally {
    unsubscribe();
    signal?.removeEventListener('abort', stop);
  }
}
