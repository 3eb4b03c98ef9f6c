/**
 * Waits so many milliseconds, and no longer than until `signal` is aborted. Never rejects. With `ref: false` it does not keep the
 * process alive.
 */
export function pause(milliseconds: number, signal?: AbortSignal, { ref = true } = {}): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (!ref) timer.unref();
    signal?.addEventListener('abort', end, { once: true });
  });
}
