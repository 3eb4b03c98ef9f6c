import { parentPort } from 'node:worker_threads';

const [, , kind] = process.argv;
const { serve } = await import(new URL(`../out/main/journal-${kind}.js`, import.meta.url).href);

/** The port of the journal that is open; one at a time. */
let port = null;

/** Behaves as the port of a thread that serves one journal: nothing is said after it was closed. */
class Port {
  listener = null;
  closed = false;

  on(_message, listener) {
    this.listener = listener;
  }

  postMessage(said) {
    if (!this.closed) parentPort.postMessage({ over: false, said });
  }

  close() {
    if (this.closed) return;
    this.closed = true;
    parentPort.postMessage({ over: true, said: null });
  }
}

parentPort.on('message', ({ start, message }) => {
  if (start === undefined) {
    if (!port.closed) port.listener?.(message);
    return;
  }
  port = new Port();
  serve(port, start);
  if (port.listener === null) port.close(); // its task is done, or it could not be opened
});
