import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './project.mjs';

/**
 * Runs a program in the project's folder and answers how it ended. SIGTERM and SIGHUP are handed on to it; Ctrl-C reaches
 * it by itself, since it is in the same process group.
 */
export function run(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const { started, ...rest } = options;
    const child = spawn(file, args, { cwd: root, stdio: 'inherit', ...rest });
    const handOn = (signal) => child.kill(signal);
    const wait = () => {};
    process.on('SIGTERM', handOn);
    process.on('SIGHUP', handOn);
    process.on('SIGINT', wait);
    const forget = () => {
      process.off('SIGTERM', handOn);
      process.off('SIGHUP', handOn);
      process.off('SIGINT', wait);
    };
    child.once('error', (error) => {
      forget();
      reject(error);
    });
    child.once('close', (code, signal) => {
      forget();
      resolve({ code, signal });
    });
    if (started) started(child);
  });
}

/** Ends this process the way `end` says another one did. */
export function exitLike({ code, signal }) {
  process.exitCode = code === null ? 128 + (signal === 'SIGINT' ? 2 : 15) : code;
}

export function isOnPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)));
}

/**
 * Ends this process cleanly when npm has ended. A signal for npm stops at the shell that npm starts scripts in: without
 * this a desk would run on, unseen, after its `npm start` was ended.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}
