import { timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import type { WebSocket } from 'ws';
import { offeredToken } from '../contract/console-access.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { openChannelServer, targetOf } from './channel-server.ts';
import type { TokenHolder } from './credentials.ts';
import type { Log } from './log.ts';
import { wayIn } from './way-in.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const NOT_HERE =
  'This console is served on its own machine, and at the addresses that its desk was given with --console-url.';

/** Largest message a console may send: a draft of a few hundred levels fits many times over. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export interface ConsoleServer {
  /** Where people with a token of their own reach it, without the token. */
  address: string;
  /** With the token behind `#`, which browsers do not send. */
  url: string;
  /** Whoever came with the token of this name is cut off. */
  revoke(name: string): void;
  close(): Promise<void>;
}

/** Who a console is of: of whoever a token was handed out to, or (null) of the user who runs the desk. */
export interface ConsoleUser {
  actor: string;
  holder: TokenHolder | null;
}

/**
 * Serves the console's files on loopback and lets a browser that knows a token talk to the desk over `/rpc`.
 * The Host and Origin of each upgrade must be loopback, so that no page of the web can reach the desk by a name of its own, or
 * one of the addresses in `outside`. Through these only people with a token of their own come in, each under their name, and
 * never with a token in the address, which proxies write down.
 */
export async function openConsoleServer(options: {
  port: number;
  /** Addresses at which a reverse proxy has it, such as `https://desk.example.com`. */
  outside: readonly URL[];
  /** Folder of the built console. */
  files: string;
  /** Of the user who runs the desk. */
  token: string;
  /** The name under which that user acts, of the one their console gives. */
  nameOf: (given: string | null) => string;
  /** Whose any other token is. */
  holderOf: (token: string) => TokenHolder | null;
  connect: (socket: WebSocket, who: ConsoleUser) => void;
  log: Pick<Log, 'warn'>;
}): Promise<ConsoleServer> {
  const { port, outside, files, token, nameOf, holderOf, log } = options;
  const lines = new Map<WebSocket, string>();
  const door = openChannelServer({
    answer: (request, response) =>
      void serveFile({ files, outside }, request, response).catch(() => response.destroy()),
    admit: (request, { searchParams }) => {
      const way = wayIn(request, outside);
      if (way === null) return null;
      const inAddress = way === 'here' ? searchParams.get('token') : null;
      const given = offeredToken(request.headers['sec-websocket-protocol']) ?? inAddress ?? '';
      if (sameText(given, token)) {
        return way === 'here' ? { actor: nameOf(searchParams.get('actor')), holder: null } : null;
      }
      const holder = holderOf(given);
      // What a token is called is who its console is: nothing that it calls itself counts.
      return holder === null || holder.may().length === 0 ? null : { actor: holder.name, holder };
    },
    connect: (socket, who) => {
      if (who.holder !== null) {
        lines.set(socket, who.holder.name);
        socket.on('close', () => lines.delete(socket));
      }
      options.connect(socket, who);
    },
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
  const here = `http://127.0.0.1:${taken}/`;
  return {
    address: outside[0]?.href ?? here,
    url: `${here}#${token}`,
    revoke: (name) => {
      for (const [socket, of] of lines) if (of === name) socket.terminate();
    },
    close: door.close,
  };
}

async function serveFile(
  { files: folder, outside }: { files: string; outside: readonly URL[] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, type: string, body: Buffer | string) =>
    response.writeHead(status, { ...SECURITY_HEADERS, 'content-type': type }).end(body);
  if (wayIn(request, outside) === null) return void answer(403, 'text/plain', NOT_HERE);
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

function sameText(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
