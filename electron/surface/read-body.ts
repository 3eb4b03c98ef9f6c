import type { IncomingMessage } from 'node:http';
import { MAX_BODY_BYTES } from '../protocol/firm-request.ts';

/** The body of a request without one. */
export const NO_BODY = Buffer.alloc(0);

/**
 * Reads the bytes of a body and hands them on, or null when there are too many: only once the client has sent them all,
 * so that it reads the answer instead of a broken pipe. A body that stops half-way hands on nothing; how long it may
 * take is for the server's time limits. `most`: the largest that is taken, in bytes.
 */
export function readBody(request: IncomingMessage, done: (body: Buffer | null) => void, most = MAX_BODY_BYTES): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
  });
  request.on('end', () => {
    const [first = NO_BODY] = chunks;
    done(size > most ? null : chunks.length > 1 ? Buffer.concat(chunks) : first);
  });
}

/** Whether a body comes behind the headers. */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request;
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** The length that a request announces, in bytes; 0 without one. */
export function announcedBytes(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}
