import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request at which somebody dies: before the other side has seen it, or after it was carried out and before the answer. */
export interface KillPoint {
  /** Of the method, the path and the body in one line. */
  request: RegExp;
  when: 'before' | 'after';
}

/** Stands between a desk and a server: passes everything on, but springs once where it is set. */
export interface Trap {
  url: string;
  /** `deed` is done at the next such request, which is never answered. Resolves when it was done. */
  set(point: KillPoint, deed: () => Promise<void>): Promise<void>;
  /** Passes everything on again. */
  unset(): void;
  close(): Promise<void>;
}

export async function openTrap(target: string): Promise<Trap> {
  let armed: (KillPoint & { spring(): Promise<void> }) | null = null;
  const springsAt = (line: string, when: KillPoint['when']) => armed?.when === when && armed.request.test(line);
  const spring = async (response: ServerResponse) => {
    const trap = armed;
    armed = null;
    await trap?.spring();
    response.destroy();
  };

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    let body = '';
    for await (const chunk of request) body += chunk;
    const line = `${method} ${url} ${body}`;
    if (springsAt(line, 'before')) return spring(response);
    const headers = { 'content-type': request.headers['content-type'] ?? 'application/json' };
    const answer = await fetch(`${target}${url}`, { method, headers, ...(body !== '' && { body }) });
    const text = await answer.text();
    if (springsAt(line, 'after')) return spring(response);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(text);
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(point, deed) {
      return new Promise((resolve) => {
        const spring = async () => {
          await deed();
          resolve();
        };
        armed = { ...point, spring };
      });
    },
    unset() {
      armed = null;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
