import { createServer } from 'node:net';
import { Opened } from '../protocol/opened.ts';
import { listen } from '../surface/http-server.ts';
import type { DeskOptions } from './desk.ts';

const LOOPBACK = '127.0.0.1';

/**
 * Listens for a moment wherever a desk with these options would, on all of it at once. Throws DeskError `port_taken` or `cannot_listen`
 * where it could not.
 */
export async function expectPorts(
  options: Pick<DeskOptions, 'surfaceHost' | 'surfacePort' | 'consolePort' | 'pricesPort' | 'metricsPort'>,
): Promise<void> {
  const { surfaceHost, surfacePort, consolePort, pricesPort, metricsPort } = options;
  const places = [
    ['--surface-port', surfaceHost, surfacePort],
    ['--console-port', LOOPBACK, consolePort],
    ['--prices-port', LOOPBACK, pricesPort],
    ['--metrics-port', LOOPBACK, metricsPort],
  ] as const;
  const opened = new Opened();
  try {
    for (const [option, host, port] of places) {
      if (port === null || port === undefined) continue;
      const server = createServer((socket) => socket.destroy());
      await listen(server, host, port, option);
      opened.push(() => new Promise((resolve) => server.close(() => resolve())));
    }
  } finally {
    await opened.close();
  }
}
