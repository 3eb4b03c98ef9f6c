import { createServer } from 'node:http';
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
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
}
