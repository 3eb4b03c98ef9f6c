import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DeskError } from '../protocol/desk-error.ts';
import { targetOf } from './channel-server.ts';
import type { Log } from './log.ts';
import type { Readiness } from './metrics.ts';
import { namesThisMachine } from './way-in.ts';

/** Whoever asks has so long to say what, milliseconds. */
const REQUEST_MS = 10_000;
/** Nobody needs more lines at once. */
const MAX_LINES = 20;

type Answer = { status: number; type: string; body: string };

export interface MetricsDoor {
  url: string;
  close(): Promise<void>;
}

/** What the door tells of. */
export interface Watched {
  text(): Promise<string>;
  readiness(): Readiness;
}

/**
 * Listens on loopback for those who watch this desk, or a surface: `/metrics` in the text form of Prometheus, `/healthz` (200 while this
 * process answers) and `/readyz` (200 while it is ready, else 503; what is closed as JSON). Nothing can be done
 * from here. Throws DeskError `port_taken`.
 */
export async function openMetricsDoor(options: {
  port: number;
  metrics: Watched;
  log: Pick<Log, 'error'>;
}): Promise<MetricsDoor> {
  const { port, metrics, log } = options;
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    answerTo(request, metrics)
      .catch((error: unknown) => {
        log.error('the metrics cannot be read', { error: String(error) });
        return plainText(500, 'The metrics cannot be read; the log of the desk says why.');
      })
      .then((answer) => send(response, answer))
      .catch(() => response.destroy());
  });
  server.maxConnections = MAX_LINES;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host: '127.0.0.1', port }, resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'EADDRINUSE' ? ': it is taken' : `: ${cause.message}`;
    throw new DeskError('port_taken', `Metrics cannot be given on port ${port}${why}.`, {
      remedy: 'Choose another with --metrics-port, or 0 for a free one.',
      cause,
    });
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answerTo(request: IncomingMessage, metrics: Watched): Promise<Answer> {
  if (!namesThisMachine(request)) return plainText(403, 'Metrics are given on this machine only.');
  if (request.method !== 'GET' && request.method !== 'HEAD') return plainText(405, 'Only GET.');
  const path = targetOf(request)?.pathname;
  if (path === '/healthz') return plainText(200, 'ok');
  if (path === '/metrics') {
    return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: await metrics.text() };
  }
  if (path === '/readyz') {
    const told = metrics.readiness();
    return { status: told.ready ? 200 : 503, type: 'application/json', body: `${JSON.stringify(told)}\n` };
  }
  return plainText(404, 'There is /metrics, /healthz and /readyz.');
}

function plainText(status: number, sentence: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: `${sentence}\n` };
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
