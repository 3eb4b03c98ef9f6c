import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './project-root.ts';

/** Where a practice desk without a window listens, from the line it prints when it is ready. */
export interface PracticeDesk {
  surface: string;
  console: string;
  service: string;
  rpc: string;
  pid: number;
  folder: string;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 45_000;

/** Runs `makerdesk practice` on free ports, in a folder of its own that goes away with it. */
export async function startPracticeDesk(args: string[] = []): Promise<PracticeDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-e2e-'));
  const ports = ['--surface-port', '0', '--console-port', '0', '--service-port', '0', '--rpc-port', '0'];
  const cli = join(projectRoot, 'out', 'main', 'cli.js');
  const child = spawn(process.execPath, [cli, '--data', folder, 'practice', ...ports, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await readyLine(child)), folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The line of JSON that says the desk is ready; throws with what it said instead. */
function readyLine(child: ChildProcess): Promise<Omit<PracticeDesk, 'folder' | 'stop'>> {
  let out = '';
  let complaints = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the practice desk ${why}:\n${complaints.slice(-4_000)}`));
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

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await gone;
  clearTimeout(insist);
}
