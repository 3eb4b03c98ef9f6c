import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { JournalThread, startThread as started } from '../../electron/journal/journal-thread.ts';
import { serve as answer } from '../../electron/journal/reader-thread.ts';
import { serve as write } from '../../electron/journal/writer-thread.ts';

/**
 * The journal's threads from their sources, but in the thread of the test, behind real ports: beside one another they do
 * not always come in the same order.
 */
export function threadWithin(...[thread, start]: Parameters<typeof started>): JournalThread {
  const { port1, port2 } = new MessageChannel();
  setImmediate(() => {
    if (thread === 'writer') write(port2, start);
    else answer(port2, start);
    if (port2.listenerCount('message') === 0) port2.close();
  });
  return new ThreadWithin(port1);
}

class ThreadWithin extends EventEmitter implements JournalThread {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('message', (message) => this.emit('message', message));
    port.on('close', () => this.emit('exit'));
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  async terminate(): Promise<number> {
    this.#port.close();
    return 0;
  }
}
