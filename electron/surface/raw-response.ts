import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Answer, send } from './answer.ts';

/** How long a socket may take to swallow its last answer before it is cut, in milliseconds. */
const LINGER_MS = 1_000;

/** A response for a socket that Node handed over without one (upgrades, CONNECT). The socket ends with the answer. */
export function responseOn(socket: Duplex, request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.on('finish', () => endSoon(socket));
  return response;
}

export function refuseOn(socket: Duplex, request: IncomingMessage, answer: Answer): void {
  send(responseOn(socket, request), answer);
}

/** Writes a whole answer to a socket on which no request could be read. */
export function refuseBroken(socket: Duplex, reason: string, { status, headers, body }: Answer): void {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n`);
  socket.write(body);
  endSoon(socket);
}

/** Ends a socket with what was written to it, also where the other side never ends its own. */
export function endSoon(socket: Duplex): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
