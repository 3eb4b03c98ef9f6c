import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

/** A feed on loopback; `onConnect` says what it does with whoever comes. */
export async function feedServer(onConnect: (socket: WebSocket) => void = () => {}) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const said: unknown[] = [];
  const sockets = new Set<WebSocket>();
  const state = { connected: 0, onConnect };
  server.on('connection', (socket) => {
    state.connected += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('message', (data) => said.push(JSON.parse(String(data))));
    state.onConnect(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate();
    server.close();
  });
  return Object.assign(state, {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What those who came sent. */
    said,
    sockets,
    /** Sends a text to all who are connected. */
    send(text: string) {
      for (const socket of sockets) socket.send(text);
    },
  });
}
