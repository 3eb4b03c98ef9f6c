import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../time/pause.ts';
import type { PracticeLog } from '../practice-log.ts';
import { type Anvil, startAnvil } from './anvil.ts';

const GRACE_MS = 5_000;
/** Room for a thousand fills, so that takers at hundreds a second neither queue nor drive the base fee up. */
const BLOCK_GAS = 300_000_000;

/** A node that keeps its state in a folder, and can be taken away and brought back. */
export interface FolderNode {
  readonly rpcUrl: string;
  readonly port: number;
  isUp(): boolean;
  /** Ends the process, which writes its state first. */
  takeAway(): Promise<void>;
  /** Starts it again on the same port with the state that it kept; a new block comes with every transaction. */
  bringBack(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the folder's node: ends the one left over from it, and goes on with the state that it kept. */
export async function startPracticeNode(options: {
  folder: string;
  chainId: number;
  port: number;
  now: () => number;
  log: PracticeLog;
}): Promise<FolderNode> {
  const { folder, chainId, now, log } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stateFile = join(folder, 'anvil-state.json');
  const pidFile = join(folder, 'anvil.pid');
  await endLeftOver(pidFile, stateFile, log);
  tidyState(stateFile, now, log);
  let anvil: Anvil | null = await start(options.port);
  const { rpcUrl, port } = anvil;

  async function start(onPort: number): Promise<Anvil> {
    const started = await startAnvil({
      chainId,
      port: onPort,
      blockGas: BLOCK_GAS,
      stateFile,
      keptBlocks: KEPT_BLOCKS,
    });
    writeFileSync(pidFile, `${started.pid}\n`);
    void started.ended.then(() => {
      if (anvil !== started) return;
      anvil = null;
      log.warn(`the node of chain ${chainId} has ended by itself: start the practice market again to bring it back`);
    });
    return started;
  }

  async function takeAway(): Promise<void> {
    const ending = anvil;
    anvil = null;
    await ending?.close();
    rmSync(pidFile, { force: true });
  }

  return {
    rpcUrl,
    port,
    isUp: () => anvil !== null,
    takeAway,
    async bringBack() {
      anvil ??= await start(port);
    },
    close: takeAway,
  };
}

/** Ends the process of the pid file, but only when it really is an anvil that keeps this folder's state. */
async function endLeftOver(pidFile: string, stateFile: string, log: PracticeLog): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  const isOurs = () => {
    const command = processCommand(pid);
    return command.includes('anvil') && command.includes(stateFile);
  };
  if (Number.isInteger(pid) && pid > 0 && isOurs()) {
    log.warn(`ending the practice chain left over from an earlier run (pid ${pid})`);
    process.kill(pid, 'SIGTERM');
    for (let waited = 0; isOurs(); waited += 20) {
      if (waited >= GRACE_MS) process.kill(pid, 'SIGKILL');
      await pause(20);
    }
  }
  rmSync(pidFile, { force: true });
}

/**
 * Blocks whose transactions, receipts and logs a chain keeps: seventeen minutes. Nobody of the market looks further
 * back, and a desk that was away for longer than that finds its open quotes expired.
 */
export const KEPT_BLOCKS = 1_024;

/** Every block leaves a header of 1.6 kB behind: a state of this size is written without the old ones at the next start. */
const SHORTENED_FROM_BYTES = 3_000_000;
/** What is bigger cannot be read as one text. */
const READABLE_BYTES = 500_000_000;

/** As far as it is looked at; anvil writes it, and the rest is its own. */
interface NodeState {
  best_block_number: number | string;
  blocks: { header: { number: string } }[];
  transactions: { block_number: number }[];
}

/**
 * Makes the state that a node left behind fit to go on with: without the blocks that nobody looks at any more. One
 * that was cut off while it was written is set aside, and a new chain begins.
 */
export function tidyState(stateFile: string, now: () => number, log: PracticeLog): void {
  if (!existsSync(stateFile)) return;
  const { size, last } = endOf(stateFile);
  const setAside = (why: string) => {
    const aside = `${stateFile}.${now()}`;
    renameSync(stateFile, aside);
    log.warn(`the practice chain's state ${why}: it is now ${aside}, and a new chain begins`);
  };
  if (last !== '}') setAside('was cut off');
  else if (size > READABLE_BYTES) setAside('has grown too big');
  else if (size > SHORTENED_FROM_BYTES) shorten(stateFile);
}

function endOf(path: string): { size: number; last: string } {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, Math.max(0, size - 1));
  closeSync(file);
  return { size, last: last.toString() };
}

function shorten(stateFile: string): void {
  const state: NodeState = JSON.parse(readFileSync(stateFile, 'utf8'));
  const from = Number(state.best_block_number) - KEPT_BLOCKS;
  const blocks = state.blocks.filter(({ header }) => Number(header.number) > from || Number(header.number) === 0);
  const transactions = state.transactions.filter(({ block_number }) => block_number > from);
  writeFileSync(`${stateFile}.new`, JSON.stringify({ ...state, blocks, transactions }), { mode: 0o600 });
  renameSync(`${stateFile}.new`, stateFile);
}

/** The command line of a process, or '' when there is none of that id (or only its remains). */
export function processCommand(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    if (process.platform === 'win32') {
      const query = `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`;
      return ask('powershell.exe', ['-NoProfile', '-Command', query]);
    }
    return ask('ps', ['-ww', '-o', 'command=', '-p', `${pid}`]);
  } catch {
    return '';
  }
}

function ask(command: string, args: string[]): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  }).trim();
}
