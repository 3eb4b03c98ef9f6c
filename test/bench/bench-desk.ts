import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { armedFolder } from '../desk/desk-on-chain.ts';
import { type RunningDesk, startDesk } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';
import type { BenchChain } from './bench-chain.ts';

const projectPath = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** On the project's own disk: in a temporary folder a commit may cost nothing at all. */
const WORK = projectPath('node_modules/.cache/bench');

/** How long a desk may take until it quotes. */
const PATIENCE_MS = 60_000;

export interface Folder {
  folder: string;
  remove(): void;
}

export function workFolder(): Folder {
  mkdirSync(WORK, { recursive: true });
  const folder = mkdtempSync(join(WORK, 'desk-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A folder for a desk that comes up LIVE. */
export function deskFolder(chain: BenchChain, desk: DeskFile): Promise<Folder> {
  return armedFolder(chain, desk, workFolder());
}

export interface BenchDesk extends RunningDesk {
  file: DeskFile;
  folder: string;
  port: number;
}

/** Starts the desk of a folder and waits until it serves its grid. `program` is another one than the command line. */
export async function startBenchDesk(
  folder: string,
  file: DeskFile,
  program?: string[],
  args: string[] = [],
): Promise<BenchDesk> {
  const desk = await startDesk(folder, 'serve', args, program);
  try {
    await quoting(desk, file);
  } catch (error) {
    await desk.kill();
    throw error;
  }
  return { ...desk, file, folder, port: Number(new URL(desk.ready.surface).port) };
}

/** Waits until a desk answers /prices with its grid. */
export async function quoting(desk: RunningDesk, file: DeskFile): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  const client = takerClient(desk.ready.surface, file);
  while ((await client.get('/prices')).status !== 200) {
    if (Date.now() > until) throw new Error(`the desk does not serve its grid:\n${desk.stderr()}`);
    await sleep(20);
  }
}
