import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** It is there when the machine gets to it: what does not start at all ends, and is told at once. */
const READY_WITHIN_MS = 600_000;

/** What a desk without a window prints when it is ready; `service` and `rpc` only where it practises. */
export interface ReadyLine {
  surface: string;
  console: string;
  /** Where engines push prices; only where a port for that was given. */
  prices?: string;
  service: string;
  rpc: string;
  pid: number;
}

/** The line of JSON that says the desk is ready; throws with what it said instead. */
export function readyLine(child: ChildProcess): Promise<ReadyLine> {
  let out = '';
  let complaints = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the desk ${why}:\n${complaints.slice(-4_000)}`));
    const late = setTimeout(fail, READY_WITHIN_MS, 'was not ready in time');
    child.stderr?.on('data', (data) => {
      complaints += data;
    });
    child.stdout?.on('data', (data) => {
      out += data;
      if (!out.includes('\n')) return;
      clearTimeout(late);
      resolve(JSON.parse(out.slice(0, out.indexOf('\n'))));
    });
    child.once('exit', (code) => {
      clearTimeout(late);
      fail(`ended with exit code ${code}`);
    });
  });
}

/** Asks a desk to close, and ends it where it does not. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), 60_000);
  await gone;
  clearTimeout(insist);
}
