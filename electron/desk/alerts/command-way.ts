import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { DeskError } from '../../protocol/desk-error.ts';
import type { TellCall } from './call.ts';

/** Throws DeskError `bad_alert_command` where a file is named and cannot be run. */
export function expectProgram(file: string | undefined): void {
  if (file === undefined) return;
  try {
    accessSync(file, constants.X_OK);
    if (statSync(file).isFile()) return;
  } catch {
    // falls through to the one sentence
  }
  throw new DeskError('bad_alert_command', `The alert command ${file} is not a file that can be run.`, {
    remedy: 'Name a program by its whole path, and make it executable.',
  });
}

/** Runs the file to its end, without arguments; it is told on its standard input. */
export function commandWay(file: string): TellCall {
  return (call, signal) =>
    new Promise((resolve, reject) => {
      const child = spawn(file, [], { stdio: ['pipe', 'ignore', 'ignore'], killSignal: 'SIGKILL', signal });
      child.once('error', (error) => reject(error));
      child.once('close', (code, by) => {
        if (code === 0) resolve('it ended with 0');
        else reject(new Error(code === null ? `it was ended by ${by}` : `it ended with ${code}`));
      });
      child.stdin.on('error', () => {}); // it need not read what it is told
      child.stdin.end(`${JSON.stringify(call)}\n`);
    });
}
