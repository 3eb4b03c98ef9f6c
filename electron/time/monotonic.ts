/** Milliseconds of a clock that never jumps. */
export const monotonic = () => performance.now();
