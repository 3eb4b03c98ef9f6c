import { createServer as createWebServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { deskSocketPath } from '../../electron/desk/folder.ts';

/** Takes up the line and then says a byte now and again, for ever. */
export async function dribbling(): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.write('HTTP/1.1 101 Switching Protocols\r\nx: ');
    const timer = setInterval(() => socket.write('x'), 100);
    socket.once('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** Says to everything that it is done, and not that it is halted. */
export async function lying(): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { i } = JSON.parse(String(data)) as { i: string };
      const status = { state: 'LIVE' };
      socket.send(JSON.stringify({ i, p: { s: 200, b: { json: { durable: true, at: 1, status } } } }));
    });
  });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/**
 * Listens where the desk of a folder does. `answer` gives what is answered to a path such as `/trading/halt`: nothing at all where it is
 * undefined, and where it is 'ended' this one ends as by kill -9.
 */
export async function standIn(folder: string, answer: (path: string, input: unknown) => unknown): Promise<void> {
  const listening = createWebServer();
  const server = new WebSocketServer({ server: listening });
  const end = () => {
    listening.close();
    for (const client of server.clients) client.terminate();
  };
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { i, p } = JSON.parse(String(data)) as { i: string; p?: { u: string; b?: { json: unknown } } };
      const json = p?.u === undefined ? undefined : answer(p.u, p.b?.json);
      if (json === 'ended') end();
      else if (json !== undefined) socket.send(JSON.stringify({ i, p: { b: { json } } }));
    });
  });
  await new Promise<void>((resolve) => listening.listen(deskSocketPath(folder), resolve));
  onTestFinished(end);
}
