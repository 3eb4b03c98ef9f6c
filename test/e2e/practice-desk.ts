import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../desk/desk-process.ts';
import { endProcess, type ReadyLine, readyLine } from './desk-process.ts';
import { projectRoot } from './project-root.ts';

const FORGIVING = ['--forgive-seconds', '2'];

/** Where a practice desk without a window listens, from the line it prints when it is ready. */
export interface PracticeDesk extends ReadyLine {
  folder: string;
  stop(): Promise<void>;
}

/**
 * Runs `makerdesk practice` on free ports, in a folder of its own that goes away with it. Its service forgives within
 * two seconds: one test's halt or blacklisted user must not keep the takers away from the next test.
 */
export async function startPracticeDesk(args: string[] = []): Promise<PracticeDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-e2e-'));
  placeMarket(folder);
  const child = practice(folder, args);
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

function practice(folder: string, args: string[]): ChildProcess {
  const doors = ['--surface-port', '0', '--console-port', '0', '--prices-port', '0'];
  const ports = [...doors, '--service-port', '0', '--rpc-port', '0'];
  const cli = join(projectRoot, 'out', 'main', 'cli.js');
  return spawn(process.execPath, [cli, '--data', folder, 'practice', ...ports, ...FORGIVING, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Both chains of a practice market with all that is deployed there, and nobody who has traded. */
const madeMarket = () => join(process.env.MAKERDESK_STATE ?? tmpdir(), 'made-market');

/**
 * Starts a practice desk once, and keeps its market: to deploy the contracts takes longer than all else of a start. That the
 * first start of a folder does so is shown where a desk is started on the screen.
 */
export async function makeMarket(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-e2e-'));
  const child = practice(folder, ['--no-takers']);
  try {
    await readyLine(child);
    await endProcess(child);
    renameSync(join(folder, 'market'), madeMarket());
  } finally {
    await endProcess(child);
    removeFolder(folder);
  }
}

/** Gives the folder of a practice desk that was never started the market that was made. */
export function placeMarket(folder: string): void {
  if (existsSync(madeMarket())) cpSync(madeMarket(), join(folder, 'market'), { recursive: true });
}
