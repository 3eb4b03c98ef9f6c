import { readdirSync, readFileSync } from 'node:fs';

/** The processes that a process started, and those that they started; on Linux only. */
export function descendantsOf(ancestor: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
        return [{ pid: Number(pid), parent: Number(afterName.split(' ')[1]) }];
      } catch {
        return []; // it ended in between
      }
    });
  const below = (parent: number): number[] =>
    parents.filter((one) => one.parent === parent).flatMap(({ pid }) => [pid, ...below(pid)]);
  return below(ancestor);
}
