import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Anvil, startAnvil } from './anvil.ts';
import type { PracticeLog } from './practice-log.ts';
import { processCommand } from './process-command.ts';

/** A block is about 1.7 kB of state: past this size, more than half a day of blocks, a new chain is begun. */
const STATE_LIMIT_BYTES = 100_000_000;
const GRACE_MS = 5_000;

/** Starts the folder's node: ends the one left over from it, and goes on with the state that it kept. */
export async function startPracticeNode(options: {
  folder: string;
  port: number;
  now: () => number;
  log: PracticeLog;
}): Promise<Anvil> {
  const { folder, port, now, log } = options;
  const stateFile = join(folder, 'anvil-state.json');
  const pidFile = join(folder, 'anvil.pid');
  await endLeftOver(pidFile, stateFile, log);
  setAsideUnusable(stateFile, now, log);
  const anvil = await startAnvil({ port, stateFile });
  writeFileSync(pidFile, `${anvil.pid}\n`);
  let isClosing = false;
  void anvil.ended.then(() => {
    if (!isClosing)
      log.warn('the practice chain has ended by itself: start the practice market again to bring it back');
  });
  return {
    ...anvil,
    async close() {
      isClosing = true;
      await anvil.close();
      rmSync(pidFile, { force: true });
    },
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

/** A state that was cut off while it was written, or has grown too big to be written every minute, is not gone on with. */
function setAsideUnusable(stateFile: string, now: () => number, log: PracticeLog): void {
  if (!existsSync(stateFile)) return;
  const file = openSync(stateFile, 'r');
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, Math.max(0, size - 1));
  closeSync(file);
  if (last.toString() === '}' && size <= STATE_LIMIT_BYTES) return;
  const why = size > STATE_LIMIT_BYTES ? 'has grown too big' : 'was cut off';
  const aside = `${stateFile}.${now()}`;
  renameSync(stateFile, aside);
  log.warn(`the practice chain's state ${why}: it is now ${aside}, and a new chain begins`);
}
