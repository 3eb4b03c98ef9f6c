import WebSocket from 'ws';
import { nodeUnreachable } from './node-fault.ts';
import type { NodeTransport, RpcRequest } from './node-transport.ts';

interface Exchange {
  ids: Set<number>;
  answers: unknown[];
  resolve(answers: unknown[]): void;
  reject(error: Error): void;
}

/** One socket and what waits for answers on it. Once it broke, everything on it fails and it is never used again. */
class Connection {
  broken: Error | null = null;
  readonly #socket: WebSocket;
  readonly #opened: Promise<void>;
  readonly #exchanges = new Set<Exchange>();
  readonly #timeoutMs: number;
  /** Messages that came. */
  #heard = 0;

  constructor(rpcUrl: string, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    // A fragment goes nowhere, and this refuses URLs that have one.
    const [address = ''] = rpcUrl.split('#');
    this.#socket = new WebSocket(address, { handshakeTimeout: timeoutMs, maxPayload: 64 * 1024 * 1024 });
    this.#opened = new Promise((resolve, reject) => {
      this.#socket.on('open', resolve);
      this.#socket.on('error', (error) => {
        this.end(error);
        reject(error);
      });
      this.#socket.on('close', () => {
        const error = this.end(Object.assign(new Error('the socket was closed'), { code: 'ECONNRESET' }));
        reject(error);
      });
    });
    this.#opened.catch(() => undefined);
    this.#socket.on('message', (data) => this.#receive(data.toString()));
  }

  /** Requests go out one message each, since nodes differ in whether they take batches here. */
  async exchange(requests: readonly RpcRequest[]): Promise<unknown[]> {
    await this.#opened;
    if (this.broken !== null) throw this.broken;
    return new Promise((resolve, reject) => {
      const heard = this.#heard;
      const timer = setTimeout(() => {
        const late = Object.assign(new Error('no answer'), { name: 'TimeoutError' });
        // A node that has answered others meanwhile is there: only what was asked here takes too long.
        if (this.#heard === heard) this.end(late);
        else if (this.#exchanges.delete(exchange)) exchange.reject(late);
      }, this.#timeoutMs);
      const exchange: Exchange = {
        ids: new Set(requests.map((request) => request.id)),
        answers: [],
        resolve: (answers) => {
          clearTimeout(timer);
          resolve(answers);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#exchanges.add(exchange);
      for (const request of requests) this.#socket.send(JSON.stringify(request));
    });
  }

  end(error: Error): Error {
    this.broken ??= error;
    this.#socket.terminate();
    for (const exchange of this.#exchanges) exchange.reject(this.broken);
    this.#exchanges.clear();
    return this.broken;
  }

  #receive(text: string): void {
    this.#heard += 1;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.end(new Error('the node sent something that is not JSON'));
      return;
    }
    if (typeof message !== 'object' || message === null || !('id' in message) || typeof message.id !== 'number') return;
    for (const exchange of this.#exchanges) {
      if (!exchange.ids.delete(message.id)) continue;
      exchange.answers.push(message);
      if (exchange.ids.size > 0) return;
      this.#exchanges.delete(exchange);
      exchange.resolve(exchange.answers);
      return;
    }
  }
}

/** JSON-RPC over a WebSocket that is opened by the first request, and again by the first one after it broke. */
export function webSocketTransport(rpcUrl: string, timeoutMs: number): NodeTransport {
  let connection: Connection | null = null;
  return {
    async send(requests) {
      if (connection === null || connection.broken !== null) connection = new Connection(rpcUrl, timeoutMs);
      try {
        return await connection.exchange(requests);
      } catch (error) {
        throw nodeUnreachable(rpcUrl, error);
      }
    },
    close() {
      connection?.end(new Error('closed by the desk'));
      connection = null;
    },
  };
}
