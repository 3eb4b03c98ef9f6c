import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export type Child = {
  /** Whole lines the child has printed so far. */
  lines: string[];
  /** Resolves with the first line that satisfies the condition. */
  line(condition: (line: string) => boolean): Promise<string>;
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>;
};

/** Starts a script of test/crash in a process of its own, and waits until it prints `ready`. */
export async function startChild(script: string, args: string[]): Promise<Child> {
  const file = fileURLToPath(new URL(`../crash/${script}`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);

  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const look of waiting) look();
  });
  const line = (condition: (line: string) => boolean) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = lines.find(condition);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      gone.then(() => reject(new Error(`${script} ended early`)), reject);
      look();
    });
  await line((text) => text === 'ready');
  return { lines, line, kill };
}
