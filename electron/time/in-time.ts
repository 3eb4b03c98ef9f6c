import type { After } from './after.ts';

/** It keeps the process alive, since somebody waits for what comes. */
const whileWaited: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * What a promise gives, or, where that takes longer than so many milliseconds, what `late` gives or throws. Throws what the
 * promise rejects with in time; what it does after that is ignored.
 */
export function inTime<T, L>(
  promise: Promise<T>,
  milliseconds: number,
  late: () => L,
  after: After = whileWaited,
): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const cancel = after(milliseconds, () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    });
    void promise.then(resolve, reject).finally(cancel);
  });
}
