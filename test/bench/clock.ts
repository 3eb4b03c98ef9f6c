/** Milliseconds of the machine's monotonic clock: the same in every thread and every process. */
export function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
