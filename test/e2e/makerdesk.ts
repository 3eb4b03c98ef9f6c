import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Status } from '../../electron/contract/trading.ts';
import { projectRoot } from './project-root.ts';

/** Runs the command line against the desk of a folder and answers what it printed. */
export async function makerdesk(folder: string, ...args: string[]): Promise<string> {
  const cli = join(projectRoot, 'out', 'main', 'cli.js');
  const { stdout } = await promisify(execFile)(process.execPath, [cli, '--data', folder, ...args]);
  return stdout;
}

/** What the desk of a folder does, as anyone at a terminal sees it. */
export async function statusOf(folder: string): Promise<Status> {
  return JSON.parse(await makerdesk(folder, 'status', '--json'));
}
