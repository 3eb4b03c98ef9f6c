import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectToDesk } from '../../electron/commands/client.ts';
import type { Scope, Status } from '../../electron/contract/trading.ts';
import { PATIENCE } from '../how-long.ts';
import { projectRoot } from './project-root.ts';

/** Bytes that a command may print: a practice desk trades on while a slow machine gets to asking for its log. */
const LONG_LOG = 2 ** 28;

/**
 * Runs the command line against the desk of a folder and answers what it printed. A command waits for three seconds for a desk
 * that is busy and then says to try again: so it is.
 */
export async function makerdesk(folder: string, ...args: string[]): Promise<string> {
  const cli = join(projectRoot, 'out', 'main', 'cli.js');
  const until = Date.now() + PATIENCE;
  for (;;) {
    try {
      const ran = await promisify(execFile)(process.execPath, [cli, '--data', folder, ...args], {
        maxBuffer: LONG_LOG,
      });
      return ran.stdout;
    } catch (error) {
      if (!/but does not answer/.test(`${error}`) || Date.now() > until) throw error;
    }
  }
}

/**
 * Halts the desk of a folder, or a part of it, as the user who runs it. The command gives a desk three seconds and then takes the file
 * away that arms it, which is right for a person and too short for a machine that is full.
 */
export async function haltDesk(folder: string, scope: Scope = {}, reason?: string): Promise<void> {
  const connection = await connectToDesk(folder, userInfo().username, PATIENCE);
  if (connection === null) throw new Error(`No desk runs in ${folder}.`);
  try {
    await connection.desk.trading.halt({ scope, ...(reason !== undefined && { reason }) });
  } finally {
    await connection.close();
  }
}

/** What the desk of a folder does: in its own words while it runs, else as the terminal finds it in the folder. */
export async function statusOf(folder: string): Promise<Status> {
  const connection = await connectToDesk(folder, 'tests', PATIENCE);
  if (connection === null) return JSON.parse(await makerdesk(folder, 'status', '--json'));
  try {
    return await connection.desk.trading.status();
  } finally {
    await connection.close();
  }
}
