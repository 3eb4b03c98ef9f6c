import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Becomes the program after leaving a watcher behind that ends it when our end of the pipe closes without a word, which is
 * what happens when we die by kill -9. A word on the pipe means that the program is gone already.
 */
const TIED_TO_OUR_LIFE =
  'exec 3<&0; { read -r _ <&3 || kill "$$"; } >/dev/null 2>&1 & exec 3<&-; exec "$0" "$@" </dev/null';

/** A program that runs beside the market and never outlives it, however the market ends; its stdout and stderr are pipes. */
export function startTied(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  const options = { stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'], windowsHide: true, env };
  const child =
    process.platform === 'win32'
      ? endedWithUs(spawn(program, args, options))
      : // In a group of its own: Ctrl+C in our terminal is ours to answer, and what is beside the desk ends after it.
        spawn('/bin/sh', ['-c', TIED_TO_OUR_LIFE, program, ...args], { ...options, detached: true });
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  child.once('exit', () => child.stdin?.end('ended\n'));
  return child;
}

/** Windows has no shell to leave a watcher in. */
function endedWithUs(child: ChildProcess): ChildProcess {
  const end = () => void child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

/** Whether it has neither failed to start nor ended. */
export function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/** Keeps the last of what the program prints, for the sentence that says why it did not start. */
export function collectText(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-2_000);
    });
  }
  return () => text.trim();
}

/** Ends the program, by force where it takes longer than `graceMs`, at once where that is 0; resolves once it is gone. */
export async function endTied(child: ChildProcess, graceMs: number): Promise<void> {
  if (!isRunning(child)) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(graceMs === 0 ? 'SIGKILL' : 'SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(insist);
}

/** The folders in which programs are looked for. */
export function foldersOnPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** The first of the folders that has the program, with the program in it; null where none has. */
export function findProgram(name: string, folders: readonly string[]): string | null {
  const executable = process.platform === 'win32' ? `${name}.exe` : name;
  return folders.map((folder) => join(folder, executable)).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
