import { type ChildProcess, spawn } from 'node:child_process';
import { scryptSync } from 'node:crypto';
import { CLI, PASSPHRASE, type Ready } from '../desk/desk-process.ts';

/** A desk of a fleet as a process of its own: the one that writes, or one that stands by. */
export interface FleetDesk {
  /** What it has said on stdout, by line. */
  said<T>(holds: (line: Record<string, unknown>) => boolean): Promise<T>;
  ready(): Promise<Ready>;
  signal(name: NodeJS.Signals): void;
  end(name: NodeJS.Signals): Promise<number | null>;
  ended: Promise<number | null>;
  stderr(): string;
}

/** Of the surfaces of the desks of these tests. */
export const OF_SURFACES = scryptSync(PASSPHRASE, 'makerdesk surfaces', 32, {
  N: 131_072,
  r: 8,
  maxmem: 2 ** 28,
}).toString('hex');

/** Starts `serve`, `standby` or `surface` on free ports, unless it is told of others, without waiting for anything. */
export function spawnInFleet(folder: string, args: string[], environment: Record<string, string> = {}): FleetDesk {
  const ports = ['--surface-port', '0', ...(args[0] === 'surface' ? [] : ['--console-port', '0'])];
  const [command = '', ...rest] = args;
  const child: ChildProcess = spawn(process.execPath, [CLI, command, ...ports, ...rest, '--data', folder], {
    env: {
      ...process.env,
      MAKERDESK_PASSPHRASE: args[0] === 'surface' ? OF_SURFACES : PASSPHRASE,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  let isOver = false;
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).finally(() => {
    isOver = true;
  });
  const end = async (name: NodeJS.Signals) => {
    child.kill(name);
    return ended;
  };
  const lines = () =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const said = async <T>(holds: (line: Record<string, unknown>) => boolean): Promise<T> => {
    for (;;) {
      const found = lines().find(holds);
      if (found !== undefined) return found as T;
      if (isOver) throw new Error(`the desk ended with ${await ended}:\n${stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    said,
    ready: () => said<Ready>((line) => line.ready === true),
    signal: (name) => void child.kill(name),
    end,
    ended,
    stderr: () => stderr,
  };
}
