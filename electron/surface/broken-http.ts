import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { jsonAnswer, refusalText } from './answer.ts';
import { refuseBroken } from './raw-response.ts';

/** Answers what Node could not read as a request, or did not get in time. */
export function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  // What comes after a last request has no right to an answer; the last request's own is on its way.
  if (!socket.writable || error.code === 'HPE_CLOSED_CONNECTION') return;
  const [status, sentence] = faultOf(error.code);
  refuseBroken(socket, STATUS_CODES[status] ?? '', jsonAnswer(status, refusalText('invalid_request', sentence)));
}

function faultOf(code: string | undefined): [number, string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'The request did not arrive in time.'];
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'The headers are too large.'];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return [413, 'The chunk extensions are too large.'];
    default:
      return [400, 'This is not a request that HTTP/1.1 knows.'];
  }
}
