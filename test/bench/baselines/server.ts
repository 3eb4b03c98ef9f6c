import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that collects each body, answers with what `answer` makes of it, and prints its port. */
export function serveBare(answer: (body: Buffer) => string | Promise<string>): void {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      void Promise.resolve(answer(Buffer.concat(parts))).then((text) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
        response.end(text);
      });
    });
  });
  serveUntilParentEnds(server);
}

/** Listens on a free port and prints it. Standard input closes when the process that started this one is gone. */
export function serveUntilParentEnds(server: Server): void {
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
  process.stdin.on('close', () => process.exit()).resume();
}
