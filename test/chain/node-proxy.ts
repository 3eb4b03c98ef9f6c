import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { listenAgain } from '../listen-again.ts';

export interface RpcCall {
  id: number;
  method: string;
  params: unknown[];
}

/** What stands between desk and node: it passes everything on, unless a test says otherwise. */
export interface NodeProxy {
  url: string;
  webSocketUrl: string;
  /** Bodies received, each of one or more calls. */
  trips: RpcCall[][];
  /** Answers a call in the node's place; undefined passes it on. */
  answer: (call: RpcCall) => { result: unknown } | { error: { code: number; message: string } } | undefined;
  /** Sees each of the node's own answers and may change it. */
  change: (call: RpcCall, answer: { result?: unknown }) => unknown;
  /** HTTP status to refuse a whole body with, perhaps with headers. */
  refuse: (calls: RpcCall[]) => number | { status: number; headers: Record<string, string> } | undefined;
  /** Keeps a body waiting until this resolves. */
  hold: (calls: RpcCall[]) => Promise<void> | undefined;
  /** While true nothing is answered: the connection stays open. */
  silent: boolean;
  /** Does something between two bodies, never in the middle of one. */
  between<T>(change: () => Promise<T>): Promise<T>;
  /** Stops listening and ends every connection. */
  down(): Promise<void>;
  /** Listens again on the same port. */
  up(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

export async function openNodeProxy(target: () => string): Promise<NodeProxy> {
  let port = 0;
  let server = createServer();
  let sockets = new WebSocketServer({ noServer: true });

  let last: Promise<unknown> = Promise.resolve();
  function between<T>(change: () => Promise<T>): Promise<T> {
    const next = last.then(change, change);
    last = next;
    return next;
  }

  async function forward(calls: RpcCall[]): Promise<unknown[]> {
    const passed = calls.filter((call) => proxy.answer(call) === undefined);
    const response =
      passed.length === 0
        ? []
        : await fetch(target(), {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(passed),
          }).then((answer) => answer.json() as Promise<{ id: number; result?: unknown }[]>);
    return calls.map((call) => {
      const instead = proxy.answer(call);
      if (instead !== undefined) return { jsonrpc: '2.0', id: call.id, ...instead };
      const own = response.find(({ id }) => id === call.id) ?? {};
      return proxy.change(call, own) ?? own;
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: RpcCall | RpcCall[] = JSON.parse(await bodyOf(request));
    const calls = Array.isArray(body) ? body : [body];
    proxy.trips.push(calls);
    if (proxy.silent) return;
    const refused = proxy.refuse(calls);
    if (refused !== undefined) {
      const { status, headers } = typeof refused === 'number' ? { status: refused, headers: {} } : refused;
      response.writeHead(status, headers).end('no');
      return;
    }
    await proxy.hold(calls);
    const answers = await between(() => forward(calls));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  }

  const proxy: NodeProxy = {
    url: '',
    webSocketUrl: '',
    trips: [],
    answer: () => undefined,
    change: () => undefined,
    refuse: () => undefined,
    hold: () => undefined,
    silent: false,
    between,
    async down() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    async up() {
      sockets = new WebSocketServer({ noServer: true });
      server = createServer((request, response) => {
        serve(request, response).catch(() => response.destroy());
      });
      server.on('upgrade', (request, socket, head) => {
        sockets.handleUpgrade(request, socket, head, (webSocket) => {
          webSocket.on('message', (data) => {
            const call: RpcCall = JSON.parse(data.toString());
            proxy.trips.push([call]);
            if (proxy.silent) return;
            between(() => forward([call]))
              .then(([answer]) => webSocket.send(JSON.stringify(answer)))
              .catch(() => webSocket.terminate());
          });
        });
      });
      await listenAgain(server, port);
      ({ port } = server.address() as AddressInfo);
      proxy.url = `http://127.0.0.1:${port}`;
      proxy.webSocketUrl = `ws://127.0.0.1:${port}`;
    },
  };
  await proxy.up();
  return proxy;
}
