import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { ListenOptions } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { CONSOLE_PROTOCOL } from '../contract/console-access.ts';
import { Connections } from '../surface/connections.ts';
import { endSoon } from '../surface/raw-response.ts';

/** A request's headers, and the whole of it, have to be there by then; milliseconds. */
const HEADERS_MS = 5_000;
const REQUEST_MS = 10_000;
/** How long a connection may stand still while its answer is being read, milliseconds. */
const STALLED_MS = 30_000;

/** Where it says what it could not take. */
type ChannelLog = { warn(line: string, facts?: Record<string, unknown>): void };

export interface ChannelServer {
  readonly server: Server;
  /** Whoever is at the other end of a request has shown who they are: its connection may stay. */
  recognised(request: IncomingMessage): void;
  /** Rejects with what `listen` met. */
  listen(at: ListenOptions): Promise<void>;
  close(): Promise<void>;
}

/**
 * A server on which consoles (or engines) open their channel: one HTTP answer for everything else, and `path` for those that
 * `admit` names. Whatever anybody sends, and however they leave, ends with their own connection.
 */
export function openChannelServer<Who extends { readonly actor: string }>(options: {
  answer: RequestListener;
  /** Where the channel is; `/rpc` unless told. */
  path?: string;
  /** Who is at the other end, as the log says it; a console unless told. */
  who?: string;
  /** Who asks for a channel, or null: they are refused. `target` is what they ask for. */
  admit: (request: IncomingMessage, target: URL) => Who | null;
  connect: (socket: WebSocket, who: Who) => void;
  /** The largest message a console may send, bytes. */
  maxMessageBytes: number;
  log: ChannelLog;
}): ChannelServer {
  const { answer, path = '/rpc', who = 'A console', admit, connect, maxMessageBytes, log } = options;
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1_000 },
    answer,
  );
  server.timeout = STALLED_MS;
  const connections = new Connections({ maxStrangers: 64, strangerMs: 60_000, maxPerDomain: 0 });
  server.on('connection', (socket) => connections.add(socket));
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    handleProtocols: (offered) => offered.has(CONSOLE_PROTOCOL) && CONSOLE_PROTOCOL,
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const target = targetOf(request);
    const admitted = target?.pathname === path ? admit(request, target) : null;
    if (admitted === null) {
      socket.write('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      endSoon(socket);
      return;
    }
    connections.leave(request.socket);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      // What is too large, not masked, or no text ends this channel with a code that says so.
      webSocket.on('error', (error) =>
        log.warn(`${who} was cut off.`, { actor: admitted.actor, error: error.message }),
      );
      connect(webSocket, admitted);
    });
  });
  return {
    server,
    recognised: ({ socket }) => connections.leave(socket),
    listen: (at) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(at, () => {
          server.off('error', reject);
          server.on('error', (error) => log.warn(`${who} could not be taken.`, { error: String(error) }));
          resolve();
        });
      }),
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** What a request asks for, or null where that is no path. `//x` is a path here and no host. */
export function targetOf(request: IncomingMessage): URL | null {
  const { url = '/' } = request;
  return url.startsWith('/') ? URL.parse(`http://desk${url}`) : null;
}
