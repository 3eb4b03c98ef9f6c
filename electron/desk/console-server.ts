import { timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import type { WebSocket } from 'ws';
import { personSchema } from '../contract/names.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { openConsoleDoor, targetOf } from './console-door.ts';
import type { Log } from './log.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Largest message a console may send: a draft of a few hundred levels fits many times over. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export interface ConsoleServer {
  /** With the token behind `#`, which browsers do not send. */
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the console's files on loopback and lets a browser that knows the token talk to the desk over `/rpc`.
 * The Host and Origin of each upgrade must be loopback, so that no page of the web can reach the desk by a name of its own.
 */
export async function openConsoleServer(options: {
  port: number;
  /** Folder of the built console. */
  files: string;
  token: string;
  actor: string;
  connect: (socket: WebSocket, actor: string) => void;
  log: Pick<Log, 'warn'>;
}): Promise<ConsoleServer> {
  const { port, files, token, actor, connect, log } = options;
  const door = openConsoleDoor({
    answer: (request, response) => void serveFile(files, request, response).catch(() => response.destroy()),
    admit: (request, { searchParams }) =>
      sameText(searchParams.get('token') ?? '', token) && isLoopback(request)
        ? (personSchema.safeParse(searchParams.get('actor')).data ?? actor)
        : null,
    connect,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    log,
  });
  await door.listen({ host: '127.0.0.1', port }).catch((cause: NodeJS.ErrnoException) => {
    const taken = cause.code === 'EADDRINUSE';
    throw new DeskError(
      'port_taken',
      `The console cannot listen on port ${port}${taken ? ': it is taken' : `: ${cause.message}`}.`,
      { remedy: 'Choose another with --console-port, or 0 for a free one.', cause },
    );
  });
  const taken = (door.server.address() as AddressInfo).port;
  return { url: `http://127.0.0.1:${taken}/#${token}`, close: door.close };
}

async function serveFile(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = (status: number, type: string, body: Buffer | string) =>
    response.writeHead(status, { ...SECURITY_HEADERS, 'content-type': type }).end(body);
  if (!isLoopback(request)) return void answer(403, 'text/plain', 'This console is served on this machine only.');
  if (request.method !== 'GET' && request.method !== 'HEAD') return void answer(405, 'text/plain', 'Only GET.');
  try {
    const pathname = targetOf(request)?.pathname ?? '';
    const path = normalize(join(folder, pathname === '/' ? 'index.html' : decodeURIComponent(pathname)));
    if (!path.startsWith(folder + sep)) throw new Error('outside the folder');
    answer(200, TYPES[extname(path)] ?? 'application/octet-stream', await readFile(path));
  } catch {
    answer(404, 'text/plain', 'There is nothing at this path.');
  }
}

/** Whether host (and origin, if sent) name this machine. */
export function isLoopback(request: IncomingMessage): boolean {
  const origin = request.headers.origin;
  return isLoopbackHost(`http://${request.headers.host ?? ''}`) && (origin === undefined || isLoopbackHost(origin));
}

function isLoopbackHost(address: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(URL.parse(address)?.hostname ?? '');
}

function sameText(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
