/**
 * The second that is over by both clocks, Unix seconds: what ends before it is over by the newest block (Unix seconds) and by ours
 * (Unix milliseconds). Neither clock ends anything alone.
 */
export function timeOfBoth(blockTime: number, now: number): number {
  return Math.min(blockTime, Math.floor(now / 1_000));
}
