/** How far back the page looks, and the width of a bar. Milliseconds. */
export interface FillRange {
  name: string;
  ms: number;
  bucketMs: number;
}

const MINUTE = 60_000;

export const FILL_RANGES: readonly [FillRange, ...FillRange[]] = [
  { name: '15 min', ms: 15 * MINUTE, bucketMs: 30_000 },
  { name: '1 h', ms: 60 * MINUTE, bucketMs: 2 * MINUTE },
  { name: '6 h', ms: 360 * MINUTE, bucketMs: 10 * MINUTE },
  { name: '24 h', ms: 1_440 * MINUTE, bucketMs: 30 * MINUTE },
  { name: '7 d', ms: 10_080 * MINUTE, bucketMs: 240 * MINUTE },
];
