/** Runs something once, later; the answer takes it back. Handed in, so that tests decide when later is. */
export type After = (milliseconds: number, run: () => void) => () => void;

/** The longest time a Node timer can wait. */
const LONGEST = 2 ** 31 - 1;

/** Timers of Node that do not keep a process alive. */
export const afterTimeout: After = (milliseconds, run) => {
  const timer = setTimeout(run, Math.min(Math.max(0, milliseconds), LONGEST)).unref();
  return () => clearTimeout(timer);
};
