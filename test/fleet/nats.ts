import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../desk/caddy.ts';

/** Why no fleet can be tried here; null where one can. */
export const noNats = spawnSync('nats-server', ['-v']).status === 0 ? null : 'there is no nats-server on this machine';
if (noNats !== null) console.warn(`SKIPPED: desks of a fleet were NOT tested: ${noNats}`);

/** How often one is started: the port it was given can be somebody else's by the time it takes it. */
const MOST_TRIES = 5;

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
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(args, keeps);
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
    }
  }
}

async function startOnce(args: string[], keeps: string[]): Promise<Nats> {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-nats-'));
  const name = basename(folder);
  const port = await freePort();
  let child: ChildProcess | null = null;
  const start = async () => {
    const place = ['-n', name, '-sd', folder, '-a', '127.0.0.1', '-p', `${port}`];
    child = spawn('nats-server', [...keeps, ...place, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    while (!(await answers(port, name))) {
      if (child.exitCode !== null) throw new Error(`the fleet server ended with ${child.exitCode}:\n${said}`);
      await sleep(20);
    }
  };
  const kill = async () => {
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await ended;
  };
  await start().catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
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

/** Whether a server of this name greets whoever comes to the port. */
function answers(port: number, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', (greeting) => {
      socket.destroy();
      resolve(greeting.toString().includes(`"${name}"`));
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
