import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Processor time of threads by their names, in microseconds; threads of one name are taken together. */
export type ThreadTimes = Map<string, number>;

/** Of a process that has many, the thread it began with. */
export const MAIN = 'main';

/**
 * What each thread of a process has run so far, as the system's scheduler counts it. Only Linux tells that of another process;
 * throws elsewhere.
 */
export function threadTimes(pid: number): ThreadTimes {
  if (process.platform !== 'linux') throw new Error('only Linux tells the processor time of the threads of a process');
  const tasks = `/proc/${pid}/task`;
  const times: ThreadTimes = new Map();
  for (const task of readdirSync(tasks)) {
    const of = (file: string) => readFileSync(join(tasks, task, file), 'utf8').trim();
    const name = Number(task) === pid ? MAIN : of('comm');
    const microseconds = Number(of('schedstat').split(' ')[0]) / 1_000;
    times.set(name, (times.get(name) ?? 0) + microseconds);
  }
  return times;
}

/** What ran between two looks. */
export function timesBetween(before: ThreadTimes, after: ThreadTimes): ThreadTimes {
  return new Map([...after].map(([name, time]) => [name, time - (before.get(name) ?? 0)]));
}
