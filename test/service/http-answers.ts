import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on loopback that answers as a test says; what it says can be changed while it runs. */
export async function answering(first: Answerer) {
  const state = { answer: first, asked: [] as { at: number; path: string }[] };
  const server = createServer((request, response) => {
    state.asked.push({ at: performance.now(), path: request.url ?? '' });
    state.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** Answers with this text, whatever it is. */
export const saying =
  (text: string, status = 200, type = 'application/json'): Answerer =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': type }).end(text);

export const json = (body: unknown, status = 200): Answerer => saying(JSON.stringify(body), status);
