import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PracticeLog } from '../practice-log.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { KEPT_BLOCKS, tidyState } from './kept-state.ts';
import { processCommand } from './process-command.ts';

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
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  rmSync(pidFile, { force: true });
}
