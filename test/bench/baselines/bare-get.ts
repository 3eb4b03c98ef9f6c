import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bare node:http server that answers the bytes of the file it was given, whatever is asked. */
const body = readFileSync(process.argv[2] ?? '');
const headers = { 'content-type': 'application/json', 'content-length': body.length };
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
