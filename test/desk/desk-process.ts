import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENCE } from '../how-long.ts';

/** The command line as it is shipped. */
export const CLI = fileURLToPath(new URL('../../out/main/cli.js', import.meta.url));

/** What `serve` and `practice` print when they are ready. */
export interface Ready {
  surface: string;
  console: string;
  prices?: string;
  metrics?: string;
  pid: number;
  service?: string;
  rpc?: string;
  fleet?: string;
  surfaces?: string[];
}

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Of the keystores of these tests, and of nothing else. */
export const PASSPHRASE = 'a passphrase for tests only';
const environmentWith = (more: Record<string, string>) => ({
  ...process.env,
  MAKERDESK_PASSPHRASE: PASSPHRASE,
  ...more,
});

/** A new folder for a desk, and how to take it away. */
export function temporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-'));
  return { folder, remove: () => removeFolder(folder) };
}

/** Takes a folder away, also where the last process of its desk still writes there as it ends. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/** Runs one command to its end, on a folder unless it is about a desk elsewhere. */
export function runCommand(
  folder: string | null,
  args: string[],
  environment: Record<string, string> = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [CLI, ...args, ...(folder === null ? [] : ['--data', folder])], {
    env: environmentWith(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

/** Runs `halt`, again where the desk had no time to answer: the command waits for it no longer than three seconds. */
export async function haltCommand(
  folder: string | null,
  args: string[] = [],
  environment: Record<string, string> = {},
): Promise<CommandResult> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    const halted = await runCommand(folder, ['halt', ...args], environment);
    const isUnheard = halted.code === 1 && /did not answer within|does not answer/.test(halted.stderr);
    if (!isUnheard || performance.now() > until) return halted;
  }
}

export interface RunningDesk {
  ready: Ready;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<number | null>;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** The code with which it ended, by itself or not. */
  ended: Promise<number | null>;
  stderr(): string;
}

/**
 * Starts `serve` or `practice` on free ports and waits for the ready line. `program` is what Node is given: options of its
 * own, and the file of a command line.
 */
export async function startDesk(
  folder: string,
  command: 'serve' | 'practice',
  args: string[] = [],
  program: string[] = [CLI],
  environment: Record<string, string> = {},
): Promise<RunningDesk> {
  const ports = ['--surface-port', '0', '--console-port', '0'];
  if (command === 'practice') ports.push('--service-port', '0', '--rpc-port', '0');
  const child = spawn(process.execPath, [...program, command, ...ports, ...args, '--data', folder], {
    env: environmentWith(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ready = await Promise.race([readyLine(child), ended.then(() => null)]);
  if (ready === null) throw new Error(`the desk ended before it was ready, with ${await ended}:\n${stderr}`);
  const end = async (name: NodeJS.Signals) => {
    child.kill(name);
    return ended;
  };
  return {
    ready,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    signal: (name) => void child.kill(name),
    ended,
    stderr: () => stderr,
  };
}

function readyLine(child: ChildProcess): Promise<Ready> {
  let text = '';
  return new Promise((resolve) => {
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(JSON.parse(text.slice(0, text.indexOf('\n'))));
    });
  });
}
