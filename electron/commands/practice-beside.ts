import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEmitter, type Emitter } from '../contract/emitter.ts';
import type { PracticeStarter } from '../contract/practice.ts';
import { makeDeskFolder } from '../desk/folder.ts';
import { DeskError } from '../protocol/desk-error.ts';

const FREE_PORTS = ['--surface-port', '0', '--console-port', '0', '--service-port', '0', '--rpc-port', '0'];
/** How long a practice desk may take to close its chain and its journal. */
const CLOSING_MS = 10_000;

type Running = {
  child: ChildProcess;
  ready: Promise<{ console: string | null }>;
  said: Emitter<string>;
};

/**
 * A practice desk in `practice/` of a desk's folder, in a process of its own that ends with this one. However often it is
 * asked for, one runs.
 */
export function practiceBeside(folder: string): { start: PracticeStarter; close(): Promise<void> } {
  let running: Running | null = null;
  return {
    start: async (said) => {
      running ??= started(join(folder, 'practice'), () => {
        running = null;
      });
      const off = running.said.subscribe(said);
      try {
        return await running.ready;
      } finally {
        off();
      }
    },
    close: async () => {
      const child = running?.child;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), CLOSING_MS);
      await gone;
      clearTimeout(insist);
    },
  };
}

function started(folder: string, ended: () => void): Running {
  makeDeskFolder(folder);
  const cli = process.argv[1] ?? '';
  // The channel tells the practice desk when this process is gone, however it ended.
  const child = spawn(process.execPath, [...process.execArgv, cli, '--data', folder, 'practice', ...FREE_PORTS], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const said: Running['said'] = createEmitter((error) => {
    throw error;
  });
  let last = '';
  if (child.stderr !== null) {
    createInterface(child.stderr).on('line', (line) => {
      last = sentenceOf(line);
      said.emit(last);
    });
  }
  const ready = new Promise<{ console: string | null }>((resolve, reject) => {
    const fail = (cause: unknown) => {
      ended();
      reject(
        new DeskError('practice_failed', `The practice desk did not start. ${last}`.trim(), {
          remedy: `Its log is in ${join(folder, 'logs')}.`,
          cause,
        }),
      );
    };
    child.once('error', fail);
    child.once('exit', fail);
    if (child.stdout !== null) {
      createInterface(child.stdout).once('line', (line) => resolve({ console: JSON.parse(line).console }));
    }
  });
  return { child, ready, said };
}

/** A line of the log as its sentence; what is no line of a log as it stands. */
function sentenceOf(line: string): string {
  try {
    const { msg } = JSON.parse(line);
    return typeof msg === 'string' ? msg : line;
  } catch {
    return line;
  }
}
