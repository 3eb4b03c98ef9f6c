/** Runs something once, after so many milliseconds; calling what it returns cancels that. Passed in, so that tests choose the moment. */
export type After = (milliseconds: number, run: () => void) => () => void;

/** The longest time a Node timer can wait. */
const LONGEST = 2 ** 31 - 1;

/** With a timer of Node that does not keep the process alive. */
export const afterTimeout: After = (milliseconds, run) => {
  const timer = setTimeout(run, Math.min(Math.max(0, milliseconds), LONGEST)).unref();
  return () => clearTimeout(timer);
};
