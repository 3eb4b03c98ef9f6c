import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../desk/caddy.ts';

/** Why no fleet can be tried here; null where one can. */
export const noNats = spawnSync('nats-server', ['-v']).status === 0 ? null : 'there is no nats-server on this machine';
if (noNats !== null) console.warn(`SKIPPED: desks of a fleet were NOT tested: ${noNats}`);

export interface Nats {
  port: number;
  /** SIGKILL; what it has on its disk stays. */
  kill(): Promise<void>;
  /** Starts it again, with what it has on its disk, at the same port. */
  start(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  close(): Promise<void>;
}

/** A real server with a file store of its own, unless it is to keep nothing. */
export async function startNats(args: string[] = [], keeps: string[] = ['-js']): Promise<Nats> {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-nats-'));
  const port = await freePort();
  let child: ChildProcess | null = null;
  const start = async () => {
    child = spawn('nats-server', [...keeps, '-sd', folder, '-a', '127.0.0.1', '-p', `${port}`, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`the fleet server ended with ${child.exitCode}:\n${said}`);
      await sleep(20);
    }
  };
  const kill = async () => {
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    port,
    kill,
    start,
    signal: (name) => void child?.kill(name),
    async close() {
      if (child?.exitCode === null && child.signalCode === null) await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
