import { WebSocket } from 'ws';
import { isSuccess, readErrorAnswer } from './error-answer.ts';
import { LONGEST_ANSWER_BYTES } from './surface-client.ts';

/** How a connection to the channel ended. */
export interface FeedEnd {
  why: string;
  /** What the maker did wrong, or null: closing and refusing are its right (PROTOCOL 6.4). */
  fault: string | null;
}

const LONGEST_REFUSAL_BYTES = 65_536;

/**
 * One connection to the channel, from the handshake to its end, whatever comes. `onMessage` gives back why the
 * connection is to be ended, or null. Pings at every `patienceMs`, and a connection that does not answer is cut.
 */
export function holdFeed(options: {
  url: string;
  headers: Record<string, string>;
  patienceMs: number;
  signal: AbortSignal;
  onOpen: () => void;
  onMessage: (text: string) => string | null;
}): Promise<FeedEnd> {
  const { url, headers, patienceMs, signal, onOpen, onMessage } = options;
  return new Promise((resolve) => {
    let seen = false;
    let alive = true;
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: patienceMs,
      maxPayload: LONGEST_ANSWER_BYTES,
      perMessageDeflate: false,
    });
    const end = (why: string, fault: string | null = null) => {
      clearInterval(pulse);
      signal.removeEventListener('abort', abort);
      socket.terminate();
      resolve({ why, fault });
    };
    const abort = () => end('the service ended it');
    const pulse = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (!seen) return end('no first message', `sends no first message within ${patienceMs / 1000} s`);
      if (!alive) return end('it does not answer pings');
      alive = false;
      socket.ping();
    }, patienceMs);
    signal.addEventListener('abort', abort);
    socket.on('open', onOpen);
    socket.on('pong', () => {
      alive = true;
    });
    socket.on('message', (data) => {
      if (signal.aborted) return;
      alive = true;
      seen = true;
      const fault = onMessage(String(data));
      if (fault !== null) end('a message that cannot be used', fault);
    });
    socket.on('unexpected-response', (request, response) => {
      const parts: Buffer[] = [];
      let length = 0;
      const status = response.statusCode ?? 0;
      const answered = () => {
        clearTimeout(timer);
        request.destroy();
        const { sentence, isWellFormed } = readErrorAnswer(parse(Buffer.concat(parts).toString('utf8')));
        const why = `the handshake is refused with ${status}: ${sentence}`;
        end(why, isWellFormed && !isSuccess(status) ? null : why);
      };
      const timer = setTimeout(answered, patienceMs);
      response.on('data', (part: Buffer) => {
        length += part.length;
        parts.push(part);
        if (length > LONGEST_REFUSAL_BYTES) answered();
      });
      response.on('end', answered);
      response.on('error', answered);
    });
    // What breaks the protocol of WebSockets has such a code; what breaks the connection does not.
    socket.on('error', (error: Error & { code?: string }) => {
      end(error.message, error.code?.startsWith('WS_ERR') ? `breaks the protocol: ${error.message}` : null);
    });
    socket.on('close', (code, reason) => end(`closed with ${code} ${String(reason)}`.trim()));
    if (signal.aborted) abort();
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
