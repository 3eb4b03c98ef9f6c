import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { DeskError } from '../../protocol/desk-error.ts';
import { Opened } from '../../protocol/opened.ts';
import { pause } from '../../time/pause.ts';
import type { PracticeLog } from '../practice-log.ts';
import { claimPort } from '../service/free-port.ts';
import { collectText, endTied, findProgram, foldersOnPath, isRunning, startTied } from '../tied-process.ts';
import { type Line, openLine } from './line.ts';

/** A fleet for the practice desk: a fleet server, and surfaces of the desk that are programs of their own, as on other machines. */
export interface PracticeFleet {
  /** Where the desk finds the fleet, over a line of its own. */
  readonly url: string;
  readonly server: Restartable;
  readonly deskLine: Line;
  readonly surfaces: readonly PracticeSurface[];
  /**
   * Starts the surfaces, of which each takes the port of its place; 0 is a free one. Returns where they listen. Throws DeskError
   * `practice_failed`, also where the desk is not there yet.
   */
  startSurfaces(passphrase: string, ports: readonly number[]): Promise<string[]>;
  close(): Promise<void>;
}

/** What can be taken away, as by kill -9, and brought back where it was. */
export interface Restartable {
  takeAway(): Promise<void>;
  bringBack(): Promise<void>;
}

export interface PracticeSurface extends Restartable {
  readonly name: string;
  readonly line: Line;
}

export interface PracticeFleetOptions {
  /** Keeps what the fleet server keeps, and of each surface what it has on its disk. */
  folder: string;
  surfaces: number;
  /** Where the desk's line begins; 0 takes a free port. */
  port: number;
  /** Our own command line, which runs the surfaces. */
  cli: string;
  log: PracticeLog;
}

const GRACE_MS = 5_000;
const LOOK_MS = 20;
const GREETS_MS = 1_000;
const SERVER = 'the practice fleet server';
/** What the desk is called there. */
const DESK = 'desk';

/** Throws DeskError `nats_missing`, `nats_failed` and `port_taken`. */
export async function openPracticeFleet(options: PracticeFleetOptions): Promise<PracticeFleet> {
  const { folder, cli, log } = options;
  const opened = new Opened();
  try {
    const serverPort = await claimPort(0, SERVER);
    const server = serverAt(join(folder, 'server'), serverPort, log);
    opened.push(server.close);
    await server.bringBack();
    const lineTo = async (port: number) => {
      const line = await openLine(port, serverPort);
      opened.push(line.close);
      return line;
    };
    const deskLine = await lineTo(await claimPort(options.port, SERVER));
    const urlOver = ({ port }: Line) => `nats://127.0.0.1:${port}/${DESK}`;
    let passphrase = '';
    const surfaces: (PracticeSurface & ReturnType<typeof surfaceFrom>)[] = [];
    // All at once: one that has lost the fleet server takes its time.
    opened.push(async () => void (await Promise.all(surfaces.map((surface) => surface.close()))));
    for (let number = 1; number <= options.surfaces; number += 1) {
      const name = `surface-${number}`;
      const line = await lineTo(0);
      const args = ['--data', join(folder, name), 'surface', '--fleet', urlOver(line), '--name', name];
      const start = (port: number) =>
        startTied(process.execPath, [cli, ...args, '--surface-port', `${port}`], {
          ...process.env,
          MAKERDESK_PASSPHRASE: passphrase,
        });
      const surface = { name, line, ...surfaceFrom(start, name, log) };
      surfaces.push(surface);
    }
    return {
      url: urlOver(deskLine),
      server,
      deskLine,
      surfaces,
      startSurfaces(given, ports) {
        passphrase = given;
        return Promise.all(surfaces.map((surface, index) => surface.startAt(ports[index] ?? 0)));
      },
      close: () => opened.close(),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** A fleet server with its rows in this folder. */
function serverAt(folder: string, port: number, log: PracticeLog): Restartable & { close(): Promise<void> } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const program = findProgram('nats-server', foldersOnPath());
  if (program === null) {
    throw new DeskError(
      'nats_missing',
      'Surfaces elsewhere need a fleet server, and there is no nats-server on PATH.',
      {
        remedy:
          'Install it (https://nats.io, or the package nats-server of Debian and Homebrew), or leave --surfaces out.',
      },
    );
  }
  return restartable(
    'the practice fleet server',
    'engine-down',
    async (own) => {
      const started = startTied(program, ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', `${port}`]);
      own(started);
      const complaints = collectText(started);
      while (isRunning(started) && !(await greets(port))) await pause(LOOK_MS);
      if (isRunning(started)) return;
      throw new DeskError('nats_failed', 'The practice fleet server did not start.', {
        remedy: 'See what nats-server says: it is given as the cause.',
        cause: new Error(complaints() || 'no output'),
      });
    },
    log,
  );
}

/** A program that `start` starts, says to be its own, and waits for until it is there. `fault`: what takes it away and brings it back. */
function restartable(
  name: string,
  fault: string,
  start: (own: (child: ChildProcess) => void) => Promise<void>,
  log: PracticeLog,
): Restartable & { close(): Promise<void> } {
  let child: ChildProcess | null = null;
  let isClosed = false;
  const own = (started: ChildProcess) => {
    child = started;
    started.once('exit', () => {
      if (child !== started) return;
      child = null;
      if (!isClosed) log.warn(`${name} has ended by itself: switch ${fault} on and off to bring it back`);
    });
  };
  const end = async (graceMs: number) => {
    const ending = child;
    child = null;
    if (ending !== null) await endTied(ending, graceMs);
  };
  return {
    async bringBack() {
      if (!isClosed && child === null) await start(own);
    },
    takeAway: () => end(0),
    async close() {
      isClosed = true;
      await end(GRACE_MS);
    },
  };
}

/** Whether the server says its first line. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(GREETS_MS, () => socket.destroy());
    const end = (greeted: boolean) => {
      socket.destroy();
      resolve(greeted);
    };
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}

const readySchema = z.object({ ready: z.literal(true), surface: z.url() });

/** A surface as `start` starts it. */
function surfaceFrom(start: (port: number) => ChildProcess, name: string, log: PracticeLog) {
  let at = 0;
  let url = '';
  const program = restartable(
    name,
    'surface-down',
    async (own) => {
      const started = start(at);
      own(started);
      url = await listening(started, name);
      at = Number(new URL(url).port);
    },
    log,
  );
  return {
    ...program,
    async startAt(port: number): Promise<string> {
      at = port;
      await program.bringBack();
      return url;
    },
  };
}

/** Resolves with the address of a surface once it says that it is ready. Throws DeskError `practice_failed` where it ends instead. */
function listening(child: ChildProcess, name: string): Promise<string> {
  const said = collectText(child);
  return new Promise((resolve, reject) => {
    const { stdout } = child;
    if (stdout !== null) {
      createInterface(stdout).once('line', (line) => {
        const ready = readySchema.safeParse(jsonOf(line));
        if (ready.success) resolve(ready.data.surface);
      });
    }
    const failed = () =>
      reject(
        new DeskError('practice_failed', `The practice surface ${name} did not start.`, {
          remedy: 'See what it says: it is given as the cause.',
          cause: new Error(said() || 'no output'),
        }),
      );
    child.once('exit', failed);
    child.once('error', failed);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
