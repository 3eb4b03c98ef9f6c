import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DeskError } from '../protocol/desk-error.ts';
import { plainRefusal, refusal, send } from './answer.ts';
import { answerBrokenHttp } from './broken-http.ts';
import { createHandshake } from './handshake.ts';
import { isLoopback } from './loopback.ts';
import { refuseOn } from './raw-response.ts';
import { announcedBytes, MAX_BODY_BYTES } from './read-body.ts';
import { createRequestHandler } from './request-handler.ts';
import { RouteTable } from './route-table.ts';
import type { SurfaceChain } from './surface-chain.ts';
import type { Beat, SurfaceContext } from './surface-context.ts';

/** Times in milliseconds, counts of connections. */
const BOUNDS = {
  /** A request's headers have to be there by then, and its body by the next. */
  headersMs: 5_000,
  requestMs: 10_000,
  /** How long a connection may lie idle between two requests. */
  idleMs: 65_000,
  /** How long a connection may stand still while its answer is being read. */
  stalledMs: 30_000,
  pingMs: 15_000,
  maxConnections: 1_000,
  maxFeeds: 100,
};

export type SurfaceOptions = Omit<SurfaceContext, 'routes' | 'mustSign'> & {
  host: string;
  port: number;
  chains: () => readonly SurfaceChain[];
  bounds?: Partial<typeof BOUNDS>;
};

export type Surface = {
  readonly url: string;
  readonly port: number;
  /** The served grid of a chain has changed, or of all (null); chains that have come, gone or moved are noticed too. */
  refresh(chainId: number | null): void;
  /** How many consumers the feed of a chain has. */
  webSockets(chainId: number): number;
  close(): Promise<void>;
};

/**
 * Opens the market-maker surface of every chain (spec 4.3, 5.2, 6). Throws DeskError `surface_needs_counterparties` for
 * a host that others can reach while nobody has to sign, and `port_taken`.
 */
export async function openSurface(options: SurfaceOptions): Promise<Surface> {
  const { host, port } = options;
  const loopback = isLoopback(host);
  if (!loopback && options.counterparties().size === 0) {
    throw new DeskError('surface_needs_counterparties', `The surface will not listen on ${host} unsigned.`, {
      remedy: 'Configure a counterparty in the desk file, or listen on 127.0.0.1.',
    });
  }
  const routes = new RouteTable();
  let chains = options.chains();
  routes.replace(chains);
  const { counterparties, now, monotonic, log } = options;
  const onHeartbeat = (beat: Beat) => {
    try {
      options.onHeartbeat(beat);
    } catch (error) {
      log.warn('A heartbeat was not taken.', { error: String(error) }); // what listens must not spoil an answer
    }
  };
  const bounds = { ...BOUNDS, ...options.bounds };
  const context = { routes, mustSign: !loopback, counterparties, now, monotonic, onHeartbeat, log };
  const server = serverOf(context, bounds);
  await listen(server, host, port);
  const pinging = setInterval(() => {
    for (const { feed } of routes.desks()) feed.ping();
  }, bounds.pingMs);
  const taken = (server.address() as AddressInfo).port;

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    port: taken,
    refresh(chainId) {
      const latest = options.chains();
      if (latest !== chains) routes.replace(latest);
      chains = latest;
      for (const { chain, feed } of routes.desks()) {
        if (chainId === null || chain.chainId === chainId) feed.refresh();
      }
    },
    webSockets: (chainId) => routes.desk(chainId)?.feed.size ?? 0,
    async close() {
      clearInterval(pinging);
      routes.replace([]);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), 1_000);
      await closed;
      clearTimeout(cut);
    },
  };
}

function serverOf(context: SurfaceContext, bounds: typeof BOUNDS): Server {
  const handler = createRequestHandler(context);
  const server = createServer(
    {
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.requestMs,
      keepAliveTimeout: bounds.idleMs,
      connectionsCheckingInterval: Math.min(1_000, bounds.headersMs),
      requireHostHeader: false, // Node would refuse without a body
      noDelay: true,
    },
    handler,
  );
  server.maxConnections = bounds.maxConnections;
  server.timeout = bounds.stalledMs;
  server.on('clientError', answerBrokenHttp);
  server.on('upgrade', createHandshake(context, handler, bounds.maxFeeds));
  server.on('connect', (request, socket) => refuseOn(socket, request, plainRefusal('method_not_allowed')));
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

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      const sentence = taken ? `Port ${port} is taken.` : `The surface cannot listen on ${host}:${port}.`;
      const remedy = taken ? 'End what listens there, or give another one with --surface-port.' : '';
      reject(new DeskError(taken ? 'port_taken' : 'cannot_listen', sentence, { remedy, cause }));
    });
    server.listen(port, host, resolve);
  });
}
