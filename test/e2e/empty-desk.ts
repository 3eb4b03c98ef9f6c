import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../desk/desk-process.ts';
import { endProcess, readyLine } from './desk-process.ts';
import { projectRoot } from './project-root.ts';

/** A desk without a desk file and without a key: what a person finds at the first start. */
export interface EmptyDesk {
  surface: string;
  console: string;
  folder: string;
  stop(): Promise<void>;
}

/** Runs `makerdesk serve` on free ports, in an empty folder of its own that goes away with it. */
export async function startEmptyDesk(): Promise<EmptyDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-e2e-'));
  const cli = join(projectRoot, 'out', 'main', 'cli.js');
  const args = [cli, '--data', folder, 'serve', '--surface-port', '0', '--console-port', '0'];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MAKERDESK_PASSPHRASE: 'of a first start' },
  });
  const stop = async () => {
    await endProcess(child);
    removeFolder(folder);
  };
  try {
    return { ...(await readyLine(child)), folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
