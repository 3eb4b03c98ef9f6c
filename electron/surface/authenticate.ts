import type { IncomingMessage } from 'node:http';
import { type AuthVerdict, checkRequest } from '../protocol/hmac.ts';
import type { Route } from './route-table.ts';
import type { SurfaceContext } from './surface-context.ts';

/**
 * Judges who sent a request (PROTOCOL 5.2), in every trading state and before anything else about it is. Null: no
 * authentication is agreed with anybody. `path` is what must have been signed: with the query, but for a WebSocket
 * handshake without (PROTOCOL 5.2.5).
 */
export function authenticate(
  context: SurfaceContext,
  request: IncomingMessage,
  signed: { path: string; body: Buffer; now: number; route: Route | undefined },
): AuthVerdict | null {
  const counterparties = context.counterparties();
  if (counterparties.size === 0 && !context.mustSign) return null;
  const { path, body, now, route } = signed;
  const basePath = route?.desk.chain.basePath ?? context.routes.basePathOf(withoutQuery(path));
  return checkRequest(request.headers, { method: request.method ?? '', path, body, now, counterparties, basePath });
}

export function withoutQuery(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** Tells that an endpoint was asked for, and how that ended. */
export function beat(
  context: SurfaceContext,
  route: Route | undefined,
  at: number,
  verdict: AuthVerdict | null,
  status: number,
): void {
  if (route === undefined) return;
  const sender = verdict === null || verdict.ok ? verdict : (verdict.stale ?? null);
  const [by, skewMs] = [sender?.domain ?? null, sender?.skewMs ?? null];
  context.onHeartbeat({ chainId: route.desk.chain.chainId, endpoint: route.endpoint, at, by, status, skewMs });
}
