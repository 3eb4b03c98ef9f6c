import http from 'node:http';
import net from 'node:net';
import { signRequest } from '../../electron/protocol/hmac.ts';
import { ACCESS_KEY, SECRET } from './open-surface.ts';

export type Reply = { status: number; headers: http.IncomingHttpHeaders; text: string; json: unknown };

/** The four headers over a request as it goes out (PROTOCOL 5.2). */
export function signatureHeaders(method: string, path: string, body = '', domain = 'desk.example', signedPath = path) {
  const timestamp = String(Date.now());
  return {
    'X-AUTH-DOMAIN': domain,
    'X-AUTH-ACCESS-KEY': ACCESS_KEY,
    'X-AUTH-TIMESTAMP': timestamp,
    'X-AUTH-SIGNATURE': signRequest({ secretKey: SECRET, timestamp, method, path: signedPath, body }),
  };
}

/** One request on a connection of its own. */
export function call(
  port: number,
  method: string,
  path: string,
  { body, headers = {} }: { body?: string | Buffer; headers?: http.OutgoingHttpHeaders } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Sends raw bytes and gives back all that comes until the surface ends the connection. */
export function raw(port: number, ...pieces: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece, 'latin1');
    });
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
    });
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(text));
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
  });
}

/** The JSON body of an answer that came as raw bytes. */
export function bodyOf(answer: string): unknown {
  return parsed(answer.slice(answer.indexOf('\r\n\r\n') + 4));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
