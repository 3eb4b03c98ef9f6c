import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type Answer, plainRefusal, refusal } from './answer.ts';
import { authenticate, beat, withoutQuery } from './authenticate.ts';
import { refuseOn, responseOn } from './raw-response.ts';
import { NO_BODY } from './read-body.ts';
import type { Route } from './route-table.ts';
import type { SurfaceContext } from './surface-context.ts';
import { pageRefusal } from './web-page.ts';

/** The largest frame a consumer of the feed may send us, in bytes; it has nothing to say. */
const MAX_FRAME_BYTES = 4_096;

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Judges WebSocket handshakes: refusals are JSON, before the upgrade; what is accepted goes to its chain's feed. */
export function createHandshake(context: SurfaceContext, handler: RequestHandler, maxFeeds: number) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  server.on('wsClientError', (error, socket, request) => {
    const version = { 'Sec-WebSocket-Version': '13' };
    refuseOn(socket, request, refusal('invalid_request', `${error.message}.`, version));
  });

  const judge = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const at = context.now();
    const path = withoutQuery(request.url ?? '');
    const route = context.routes.find(path);
    const verdict = authenticate(context, request, { path, body: NO_BODY, now: at, route });
    const foreign = verdict === null ? pageRefusal(request.headers, context.names()) : null;
    const domain = verdict?.ok ? verdict.domain : null;
    const refused =
      verdict?.ok === false
        ? refusal(verdict.code ?? 'unauthorized', verdict.sentence)
        : (foreign ?? refusalOf(context, route, domain, maxFeeds));
    beat(context, route, at, verdict, refused?.status ?? 101);
    if (refused !== null) {
      refuseOn(socket, request, refused);
      return;
    }
    context.connections.leave(request.socket);
    server.handleUpgrade(request, socket, head, (webSocket) => route?.desk.feed.add(webSocket, domain));
  };

  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    if (!isForWebSocket(request)) {
      handler(request, responseOn(socket, request));
      return;
    }
    try {
      judge(request, socket, head);
    } catch (error) {
      context.log.warn('A WebSocket handshake could not be judged.', { error: String(error) });
      refuseOn(socket, request, plainRefusal('internal'));
    }
  };
}

/** An upgrade to anything else may be ignored (RFC 9110, 7.8): the request is answered as if it had not been asked for. */
export function isForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

function refusalOf(
  context: SurfaceContext,
  route: Route | undefined,
  domain: string | null,
  maxFeeds: number,
): Answer | null {
  if (route?.endpoint !== 'ws') return plainRefusal('not_found');
  const { closed } = route.desk.chain.served();
  if (closed !== null) return plainRefusal(closed);
  let open = 0;
  for (const { feed } of context.routes.desks()) open += feed.sizeOf(domain);
  return open < maxFeeds ? null : refusal('busy', `You have ${open} WebSockets open; no more are taken.`);
}
