import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Server as AnyServer } from 'node:net';
import { DeskError } from '../protocol/desk-error.ts';
import { MAX_BODY_BYTES } from '../protocol/firm-request.ts';
import { plainRefusal, refusal, send } from './answer.ts';
import { answerBrokenHttp } from './broken-http.ts';
import { createHandshake, isForWebSocket } from './handshake.ts';
import { refuseOn } from './raw-response.ts';
import { announcedBytes } from './read-body.ts';
import { createRequestHandler } from './request-handler.ts';
import type { SurfaceContext } from './surface-context.ts';

/** Times in milliseconds, counts of connections. */
export const BOUNDS = {
  /** A request's headers have to be there by then, and its body by the next. */
  headersMs: 5_000,
  requestMs: 10_000,
  /** How long a connection may lie idle between two requests. */
  idleMs: 65_000,
  /** How long a connection may stand still while its answer is being read. */
  stalledMs: 30_000,
  pingMs: 15_000,
  /** How often a feed is looked at for prices that stand still. */
  resendMs: 250,
  maxStrangers: 256,
  strangerMs: 15_000,
  maxPerDomain: 500,
  /** WebSockets of one counterparty. */
  maxFeeds: 100,
};

export type Bounds = typeof BOUNDS;

/** The server behind a surface: every way in ends in a JSON answer, and nobody may dawdle. */
export function createHttpServer(context: SurfaceContext, bounds: Bounds): Server {
  const handler = createRequestHandler(context);
  const server: Server = createServer(
    {
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.requestMs,
      keepAliveTimeout: bounds.idleMs,
      connectionsCheckingInterval: Math.min(1_000, bounds.headersMs),
      requireHostHeader: false, // Node would refuse without a body
      noDelay: true,
      // With any other upgrade a body would be lost. Before Node 24.9 it is.
      shouldUpgradeCallback: (request) => isForWebSocket(request) && server.listenerCount('upgrade') > 0,
    },
    handler,
  );
  server.on('connection', (socket) => context.connections.add(socket));
  server.timeout = bounds.stalledMs;
  server.on('clientError', answerBrokenHttp);
  server.on('upgrade', createHandshake(context, handler, bounds.maxFeeds));
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    refuseOn(socket, request, plainRefusal('method_not_allowed'));
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (announcedBytes(request) > MAX_BODY_BYTES) {
      send(response, refusal('body_too_large', undefined, { Connection: 'close' }));
      return;
    }
    response.writeContinue();
    handler(request, response);
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    send(response, refusal('invalid_request', 'The Expect header asks for something unknown.'));
  });
  return server;
}

/** Throws DeskError `port_taken` or `cannot_listen`; `option`: how it is given another port. */
export function listen(server: AnyServer, host: string, port: number, option = '--surface-port'): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      const sentence = taken ? `Port ${port} is taken.` : `Nothing can listen on ${host}:${port}.`;
      const remedy = taken ? `End what listens there, or give another one with ${option}.` : '';
      reject(new DeskError(taken ? 'port_taken' : 'cannot_listen', sentence, { remedy, cause }));
    });
    server.listen(port, host, resolve);
  });
}
