import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, plainRefusal, refusal, send, sendText } from './answer.ts';
import { type AuthVerdict, authenticate, beat, withoutQuery } from './authenticate.ts';
import { hasBody, NO_BODY, readBody } from './read-body.ts';
import type { Route } from './route-table.ts';
import { serialised } from './serialised-grid.ts';
import type { SurfaceContext } from './surface-context.ts';
import { pageRefusal } from './web-page.ts';

/** Characters of what the caller calls its own trace: 55, or some more in a version to come. */
const MOST_TRACEPARENT = 512;

type Arrived = { request: IncomingMessage; response: ServerResponse; at: number; monotonic: number };

/** Answers the five endpoints of every chain, and everything else with an error (PROTOCOL 4.3, 7). */
export function createRequestHandler(context: SurfaceContext) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const monotonic = request.method === 'POST' ? context.monotonic() : 0; // only a quote is timed
    const arrived = { request, response, at: context.now(), monotonic };
    if (hasBody(request)) {
      readBody(request, (body) => {
        if (body === null) send(response, plainRefusal('body_too_large'));
        else inTurn(context, arrived, () => handle(context, arrived, body));
      });
    } else handle(context, arrived, NO_BODY);
  };
}

/**
 * Where others before it on its connection are not answered yet, Node keeps the answer back until they are: an order would lie there,
 * handed over by our count, while a stop comes. So nothing is decided before its answer can go to the socket.
 */
function inTurn({ connections }: SurfaceContext, { request, response }: Arrived, answer: () => void): void {
  if (response.socket !== null) {
    answer();
    return;
  }
  const { socket } = request;
  connections.waits(socket);
  response.once('socket', () => {
    connections.waited(socket);
    process.nextTick(answer); // with its socket, and Node done with giving it
  });
}

function handle(context: SurfaceContext, arrived: Arrived, body: Buffer): void {
  const { request, response } = arrived;
  const url = request.url ?? '';
  const route = context.routes.find(withoutQuery(url));
  try {
    // By the clock of now, not of its first byte: a body that dawdles makes no timestamp younger.
    const verdict = authenticate(context, request, { path: url, body, now: context.now(), route });
    if (verdict?.ok === false) {
      send(response, refusal(verdict.code ?? 'unauthorized', verdict.sentence));
      beat(context, route, arrived.at, verdict, 401);
      return;
    }
    const foreign = verdict === null ? pageRefusal(request.headers, context.names()) : null;
    if (foreign === null) context.connections.recognised(request.socket, verdict?.domain ?? null);
    if (foreign === null && route?.endpoint === 'firm' && request.method === 'POST') {
      firm(context, route, arrived, verdict, body);
    } else {
      const answer = foreign ?? answerOf(route, request);
      send(response, answer);
      beat(context, route, arrived.at, verdict, answer.status);
    }
  } catch (error) {
    fail(context, response, url, error);
  }
}

function firm(
  context: SurfaceContext,
  route: Route,
  { request, response, at, monotonic }: Arrived,
  verdict: AuthVerdict | null,
  body: Buffer,
): void {
  const { chain } = route.desk;
  const counterparty = verdict?.ok ? verdict.domain : null;
  const signature = verdict?.ok && verdict.oneOrder ? verdict.signature : undefined;
  const input = {
    chainId: chain.chainId,
    body,
    counterparty,
    signature,
    receivedAt: at,
    receivedMonotonic: monotonic,
    traceparent: request.headers.traceparent?.toString().slice(0, MOST_TRACEPARENT),
  };
  chain.firm(input, ({ status, body: text }) => {
    // The caller has just looked at the latch: the order goes to the socket before anything else can happen.
    sendText(response, status, text);
    beat(context, route, at, verdict, status);
  });
}

function answerOf(route: Route | undefined, request: IncomingMessage): Answer {
  if (route === undefined) return plainRefusal('not_found');
  const { endpoint, method, desk } = route;
  if (endpoint === 'ws') return refusal('method_not_allowed', 'This path takes a WebSocket handshake only.');
  if (request.method !== method || endpoint === 'firm')
    return refusal('method_not_allowed', undefined, { Allow: method });
  const grid = desk.chain.served();
  if (grid.closed !== null && (endpoint === 'prices' || grid.isKnown === false)) return plainRefusal(grid.closed);
  return serialised(grid)[endpoint].answer;
}

function fail(context: SurfaceContext, response: ServerResponse, url: string, error: unknown): void {
  context.log.warn('A request could not be answered.', { path: url.slice(0, 200), error: String(error) });
  if (response.headersSent) response.destroy();
  else send(response, plainRefusal('internal'));
}
