import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claimPort } from '../../electron/practice/service/free-port.ts';
import { removeFolder } from './desk-process.ts';

const EXAMPLE = fileURLToPath(new URL('../../resources/deploy/Caddyfile', import.meta.url));

/** Why the example cannot be tried here; null where it can. */
export const noCaddy = spawnSync('caddy', ['version']).status === 0 ? null : 'there is no caddy on this machine';
if (noCaddy !== null) console.warn(`SKIPPED: the console behind a reverse proxy was NOT tested: ${noCaddy}`);

export interface Caddy {
  /** The certificate of the authority that it made for itself, a file. */
  authority: string;
  /** All that it has logged. */
  log(): string;
  stop(): Promise<void>;
}

/** A port of this machine that nothing listens on, of those that no system hands out by itself: it is free, too, when it is used. */
export function freePort(): Promise<number> {
  return claimPort(0, 'a test');
}

/**
 * Runs Caddy with the example of resources/deploy, at https://localhost:PORT, before the console at `console` (`host:port`), and
 * before the surface likewise where one is given. What
 * is not the example's is kept to this machine and a folder of its own: no port 80, no administration, no trust of the system.
 */
export async function startCaddy(
  port: number,
  console: string,
  surface?: { port: number; at: string },
): Promise<Caddy> {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-caddy-'));
  const env = {
    ...process.env,
    MAKERDESK_HOST: `https://localhost:${port}`,
    MAKERDESK_CONSOLE: console,
    MAKERDESK_SURFACE_HOST: `https://localhost:${surface?.port ?? (await freePort())}`,
    MAKERDESK_SURFACE: surface?.at ?? '127.0.0.1:8787',
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const adapted = execFileSync('caddy', ['adapt', '--adapter', 'caddyfile', '--config', EXAMPLE], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const config = JSON.parse(adapted);
  config.admin = { disabled: true };
  config.apps.pki = { certificate_authorities: { local: { install_trust: false } } };
  for (const server of Object.values<{ listen: string[]; automatic_https: object }>(config.apps.http.servers)) {
    server.listen = server.listen.map((at) => `127.0.0.1${at}`);
    server.automatic_https = { disable_redirects: true };
  }
  const child = spawn('caddy', ['run', '--config', '-'], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  child.stdin.end(JSON.stringify(config));
  const stop = async () => {
    await ended(child);
    removeFolder(folder);
  };
  try {
    await listening(child, port, () => text);
  } catch (error) {
    await stop();
    throw error;
  }
  return { authority: join(folder, 'caddy', 'pki', 'authorities', 'local', 'root.crt'), log: () => text, stop };
}

async function listening(child: ChildProcess, port: number, log: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`caddy ended with ${child.exitCode}:\n${log()}`);
    if (await answers(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await end;
}
