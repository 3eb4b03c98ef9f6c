import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { platform } from 'node:os';
import { type WebSocket, WebSocketServer } from 'ws';
import { actorSchema } from '../contract/names.ts';

/**
 * Opens the socket on which the command line reaches the running desk. Only the folder's lock holder calls this, so a
 * socket file found here was left behind by a desk that died. Whoever may open the file is trusted: it is 0600.
 */
export function openDeskSocket(
  path: string,
  actor: string,
  connect: (socket: WebSocket, actor: string) => void,
): Promise<{ close(): Promise<void> }> {
  const onDisk = platform() !== 'win32';
  if (onDisk) rmSync(path, { force: true });
  const server = createServer((_request, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ server, maxPayload: 64 * 1024 * 1024 });
  sockets.on('connection', (webSocket, request) => {
    const named = new URL(request.url ?? '/', 'http://desk').searchParams.get('actor');
    connect(webSocket, actorSchema.safeParse(named).data ?? actor);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const mask = process.umask(0o177);
    server.listen(path, () => {
      process.umask(mask);
      if (onDisk) chmodSync(path, 0o600);
      resolve({
        close: () =>
          new Promise((done) => {
            for (const client of sockets.clients) client.terminate();
            server.closeAllConnections();
            server.close(() => done());
          }),
      });
    });
  });
}
