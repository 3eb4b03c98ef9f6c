import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** After the acknowledgement of a halt an order may still be on its way through sockets for this long. */
const ON_THE_WAY_MS = 100;

/**
 * One answer of a volley: when its request left and when it was there, on the clock of `clock()`, and whether it came after
 * everything that was on its way at the halt had been read.
 */
export interface VolleyAnswer {
  sentAt: number;
  receivedAt: number;
  isLate: boolean;
  status: number;
  hasOrder: boolean;
}

/** Milliseconds that all threads of this process agree on. */
export const clock = () => performance.timeOrigin + performance.now();

/** Connections that have shown nobody yet are few: so many are opened at a time. */
const OPENED_AT_ONCE = 100;

/**
 * Sockets in a thread of their own, so that an answer is stamped when it comes and not when a busy test gets to it. Each
 * is opened with one of the `first` requests. `volley` sends one request over each at once and resolves when all are
 * answered; it rejects when the surface lets go of one. `halted` is to be called when the halt of a volley is acknowledged.
 */
export function openVolleys(
  port: number,
  first: string[],
): Promise<{ volley(requests: string[]): Promise<VolleyAnswer[]>; halted(): void; close(): Promise<number> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port, first } });
  const message = () =>
    new Promise<VolleyAnswer[]>((resolve, reject) => {
      worker.once('error', reject).once('message', (answers) => {
        worker.off('error', reject);
        resolve(answers);
      });
    });
  return message().then(() => ({
    volley: (requests) => {
      const answered = message();
      worker.postMessage(requests);
      return answered;
    },
    halted: () => worker.postMessage('halted'),
    close: () => worker.terminate(),
  }));
}

function ask(socket: Socket, request: string, isOver = () => false): Promise<VolleyAnswer> {
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
      resolve({ sentAt, receivedAt: clock(), isLate: isOver(), status, hasOrder: text.includes('"signature"') });
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
  on(name: 'message', listener: (said: string[] | 'halted') => void): void;
}) {
  const { port: surface, first } = workerData as { port: number; first: string[] };
  const open = async (request: string) => {
    const socket = connect({ port: surface, host: '127.0.0.1', noDelay: true }).setEncoding('utf8');
    await once(socket, 'connect');
    await ask(socket, request);
    return socket;
  };
  const sockets: Socket[] = [];
  for (let from = 0; from < first.length; from += OPENED_AT_ONCE)
    sockets.push(...(await Promise.all(first.slice(from, from + OPENED_AT_ONCE).map(open))));
  let volley = 0;
  /** The newest volley whose halt was acknowledged, and after which whatever was on its way has been read. */
  let over = 0;
  port.on('message', (said) => {
    if (said === 'halted') {
      const halted = volley;
      // By the clock alone an answer would be late that waited in its socket while this thread stood still.
      setTimeout(() => setImmediate(() => (over = halted)), ON_THE_WAY_MS);
      return;
    }
    volley += 1;
    const own = volley;
    const asked = sockets.map((socket, index) => ask(socket, said[index] ?? '', () => over === own));
    void Promise.all(asked).then((answers) => port.postMessage(answers));
  });
  port.postMessage([]);
}

if (!isMainThread && parentPort && (workerData as { first?: string[] } | null)?.first) await serveVolleys(parentPort);
