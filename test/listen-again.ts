import { once } from 'node:events';
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE } from './how-long.ts';

/** Listens at a port of loopback, which somebody else may have for a moment where it was let go before. */
export async function listenAgain(server: Server, port: number): Promise<void> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    server.listen(port, '127.0.0.1');
    try {
      return void (await once(server, 'listening'));
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || performance.now() > until) throw error;
      await sleep(100);
    }
  }
}
