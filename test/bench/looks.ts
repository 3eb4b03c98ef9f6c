import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './statistics.ts';

/** What a desk looked like to itself at one moment. */
export interface Look {
  /** Unix milliseconds. */
  at: number;
  /** Memory of the whole process, and what its main thread has on the heap; bytes. */
  resident: number;
  heap: number;
  descriptors: number;
  /** How late the event loop was since the look before, at one in a hundred moments and at worst; milliseconds. */
  loopP99: number;
  loopWorst: number;
}

/** Where a desk that looks at itself writes it, a line a second. */
export function looksFile(folder: string): string {
  return join(folder, 'looks.jsonl');
}

/** The looks from a moment on, oldest first. */
export function readLooks(folder: string, since = 0): Look[] {
  return readFileSync(looksFile(folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Look => JSON.parse(line))
    .filter(({ at }) => at >= since);
}

/** How a figure stood: its median over the second quarter of the looks (the first is for warming up) and over the last one. */
export interface Trend {
  early: number;
  late: number;
}

export function trendOf(looks: readonly Look[], figure: Exclude<keyof Look, 'at'>): Trend {
  const quarter = Math.floor(looks.length / 4);
  const over = (from: number) => median(looks.slice(from, from + quarter).map((look) => look[figure]));
  return { early: over(quarter), late: over(looks.length - quarter) };
}
