import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess, readyLine } from './desk-process.ts';
import { projectRoot } from './project-root.ts';

const FORGIVING = ['--forgive-seconds', '2'];

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

/**
 * Runs `makerdesk practice` on free ports, in a folder of its own that goes away with it. Its service forgives within
 * two seconds: one test's halt or blacklisted user must not keep the takers away from the next test.
 */
export async function startPracticeDesk(args: string[] = []): Promise<PracticeDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-e2e-'));
  const ports = ['--surface-port', '0', '--console-port', '0', '--service-port', '0', '--rpc-port', '0'];
  const cli = join(projectRoot, 'out', 'main', 'cli.js');
  const child = spawn(process.execPath, [cli, '--data', folder, 'practice', ...ports, ...FORGIVING, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    await endProcess(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await readyLine(child)), folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
