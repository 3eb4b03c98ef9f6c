import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { pause } from '../../time/pause.ts';
import type { ConsumerFaults } from '../consumer/surface-client.ts';
import type { PracticeLog } from '../practice-log.ts';
import { claimPort } from './free-port.ts';
import { failure, type RouteHandler, type ServiceAnswer } from './route.ts';

export interface PracticeService {
  url: string;
  /** Cuts every connection; for a service that goes down. */
  hangUp(): void;
  close(): Promise<void>;
}

/**
 * The service's own address. Each request goes through the routes until one answers it; whatever goes wrong is answered
 * in the envelope `{errorType, details}`, and none of it ends the service.
 * @throws DeskError `port_taken`
 */
export async function openService(options: {
  port: number;
  routes: readonly RouteHandler[];
  /** Looked at for every connection and every answer. */
  faults: Pick<ConsumerFaults, 'down' | 'slowMs'>;
  log: PracticeLog;
}): Promise<PracticeService> {
  const { routes, faults, log } = options;
  const port = await claimPort(options.port, 'the practice service');
  const server = createServer((request, response) => {
    void answer(request, routes, log)
      .then(async ({ status, body }) => {
        if (faults.slowMs > 0) await pause(faults.slowMs, undefined, { ref: false });
        if (faults.down) response.destroy();
        else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      })
      .catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    if (faults.down) socket.destroy();
  });
  server.on('clientError', (_error, socket) => refuse(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, resolve);
  });
  server.on('error', (error) => log.warn(`service: a connection could not be taken: ${error.message}`));
  return {
    url: `http://127.0.0.1:${port}`,
    hangUp: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Never rejects. */
async function answer(
  request: IncomingMessage,
  routes: readonly RouteHandler[],
  log: PracticeLog,
): Promise<ServiceAnswer> {
  try {
    const target = request.url ?? '';
    if (!URL.canParse(target, 'http://service')) return failure(400, 'InvalidInput', 'This is no path.');
    const { pathname, searchParams } = new URL(target, 'http://service');
    const body = await readBody(request);
    if (body === null) return failure(413, 'InvalidInput', 'The body is larger than 1 MiB.');
    const { method = '', headers, socket } = request;
    const [apiKey] = [headers['x-api-key']].flat();
    const asked = { method, path: pathname, query: searchParams, body, apiKey, from: socket.remoteAddress };
    for (const route of routes) {
      const answered = await route(asked);
      if (answered !== null) return answered;
    }
    return failure(404, 'NotFound', 'There is nothing at this path.');
  } catch (error) {
    log.warn(`service: a request could not be answered: ${error instanceof Error ? error.message : String(error)}`);
    return failure(500, 'InternalError', 'The service could not answer this.');
  }
}

/** What is not HTTP gets the envelope as well, if anybody is there to read it. */
function refuse(socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const { body } = failure(400, 'InvalidInput', 'This is not an HTTP request.');
  const text = JSON.stringify(body);
  const head = `HTTP/1.1 400 ${STATUS_CODES[400]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}`;
  socket.end(`${head}\r\nconnection: close\r\n\r\n${text}`);
}

const LARGEST_BYTES = 1024 * 1024;

/** All of a request's body as text, or null when it is larger than 1 MiB. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
