import type { IncomingMessage } from 'node:http';

const LARGEST_BYTES = 1024 * 1024;

/** All of a request's body as text, or null when it is larger than 1 MiB. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
