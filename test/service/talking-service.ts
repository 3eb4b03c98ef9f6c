import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { ServiceConnection } from '../../electron/service/service-connection.ts';
import { Turns } from '../../electron/service/turns.ts';
import { type Answerer, answering } from './http-answers.ts';
import { sleptClock } from './slept-clock.ts';

interface Heard {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * A service on a real socket that answers one after another as told, the last one for ever, and a connection to it whose
 * turns cost no time. `turned` is how long they would have taken.
 */
export async function talkingService(
  answers: Answerer[],
  options: { intentSegment?: string; apiKey?: string; timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const heard: Heard[] = [];
  const left = [...answers];
  const { url } = await answering((request, response) => void hear(request, response));
  async function hear(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const query = Object.fromEntries(searchParams);
    heard.push({ method: request.method ?? '', path: pathname, query, headers: request.headers, body });
    const answer = left.length > 1 ? left.shift() : left[0];
    answer?.(request, response);
  }
  const clock = sleptClock();
  const unix = { now: 0 };
  const { apiKey, ...rest } = options;
  const connection = { serviceUrl: `${url}/`, turns: new Turns(clock), now: () => unix.now, apiKey: () => apiKey };
  return { service: new ServiceConnection({ ...connection, ...rest }), heard, clock, unix };
}
