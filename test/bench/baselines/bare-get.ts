import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { serveUntilParentEnds } from './server.ts';

/** A bare node:http server that answers the bytes of the file it was given, whatever is asked. */
const body = readFileSync(process.argv[2] ?? '');
const headers = { 'content-type': 'application/json', 'content-length': body.length };
serveUntilParentEnds(
  createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  }),
);
