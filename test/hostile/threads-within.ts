import { EventEmitter } from 'node:events';
import * as threads from 'node:worker_threads';
import { MessageChannel, type MessagePort, type WorkerOptions } from 'node:worker_threads';

/** What the module of a thread finds when it is run. */
let run: { parentPort: MessagePort | null; workerData: unknown } = { parentPort: null, workerData: undefined };
/** They are run one after the other, since each looks for its own port. */
let turn: Promise<unknown> = Promise.resolve();
let started = 0;

/**
 * The journal's threads from their sources, but in the thread of the test, behind real ports. To start two of them takes
 * longer than all else that a desk does in the model, and beside one another they do not always come in the same order.
 */
class ThreadWithin extends EventEmitter {
  readonly #port: MessagePort;

  constructor(thread: string, { workerData }: WorkerOptions) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message) => this.emit('message', message));
    port1.on('close', () => this.emit('exit'));
    turn = turn.then(async () => {
      run = { parentPort: port2, workerData };
      started += 1;
      const source = `../../electron/journal/${thread}-thread.ts?${started}`;
      try {
        await import(/* @vite-ignore */ source);
      } catch (error) {
        this.emit('error', error);
      }
      if (port2.listenerCount('message') === 0) port2.close();
    });
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  async terminate(): Promise<void> {
    this.#port.close();
  }
}

/** `node:worker_threads` for a test that mocks it: `vi.mock('node:worker_threads', async () => (await import('./threads-within.ts')).within)`. */
export const within = {
  ...threads,
  Worker: function start(file: URL, options: WorkerOptions) {
    const [, thread] = /journal-(reader|writer)\.js$/.exec(file.pathname) ?? [];
    return thread === undefined ? new threads.Worker(file, options) : new ThreadWithin(thread, options);
  },
  get parentPort() {
    return run.parentPort;
  },
  get workerData() {
    return run.workerData;
  },
};
