import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** One answer of a volley: when its request left and when it was there, on the clock of `clock()`. */
export interface VolleyAnswer {
  sentAt: number;
  receivedAt: number;
  status: number;
  hasOrder: boolean;
}

/** Milliseconds that all threads of this process agree on. */
export const clock = () => performance.timeOrigin + performance.now();

/**
 * Sockets in a thread of their own, so that an answer is stamped when it comes and not when a busy test gets to it.
 * `volley` sends one request over each socket at once and resolves when all are answered.
 */
export function openVolleys(
  port: number,
  sockets: number,
): Promise<{ volley(request: string): Promise<VolleyAnswer[]>; close(): Promise<number> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port, sockets } });
  const message = () => new Promise<VolleyAnswer[]>((resolve) => worker.once('message', resolve));
  return message().then(() => ({
    volley: (request) => {
      const answered = message();
      worker.postMessage(request);
      return answered;
    },
    close: () => worker.terminate(),
  }));
}

function ask(socket: Socket, request: string): Promise<VolleyAnswer> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: string) => {
      text += chunk;
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (Buffer.byteLength(text.slice(head + 4)) < length) return;
      socket.off('data', onData);
      socket.off('close', onClose);
      const status = Number(text.slice(9, 12));
      resolve({ sentAt, receivedAt: clock(), status, hasOrder: text.includes('"signature"') });
    };
    const onClose = () => reject(new Error('the surface closed a socket instead of answering'));
    socket.on('data', onData);
    socket.once('close', onClose);
    const sentAt = clock();
    socket.write(request);
  });
}

async function serveVolleys(port: {
  postMessage(value: unknown): void;
  on(name: 'message', listener: (request: string) => void): void;
}) {
  const { port: surface, sockets: count } = workerData as { port: number; sockets: number };
  const sockets = await Promise.all(
    Array.from({ length: count }, () => {
      const socket = connect({ port: surface, host: '127.0.0.1', noDelay: true }).setEncoding('utf8');
      return new Promise<Socket>((resolve, reject) =>
        socket.once('connect', () => resolve(socket)).once('error', reject),
      );
    }),
  );
  port.on('message', (request) => {
    void Promise.all(sockets.map((socket) => ask(socket, request))).then((answers) => port.postMessage(answers));
  });
  port.postMessage([]);
}

if (!isMainThread && parentPort && (workerData as { sockets?: number } | null)?.sockets) await serveVolleys(parentPort);
