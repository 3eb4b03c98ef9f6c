import { createHmac } from 'node:crypto';

/** How far a request's timestamp may be from our clock, in milliseconds (PROTOCOL 5.2.4). */
export const TIMESTAMP_TOLERANCE_MS = 30_000;

/** Credentials of one traffic source, keyed by its domain elsewhere (PROTOCOL 5.2). */
export type Counterparty = {
  accessKey: string;
  secretKey: string;
  /** Keys that these took the place of, and that are still taken. */
  earlier?: { accessKey: string; secretKey: string } | undefined;
  /** `without-prefix`: the service leaves the chain's base path out of what it signs (PROTOCOL 5.2.6). */
  signedPath: 'full' | 'without-prefix';
  /** False: a firm request that is sent again as it was signed gives another order. */
  oneOrderPerSignature?: boolean | undefined;
  /** Where its requests may come from, addresses and CIDR; left out: from anywhere. */
  addresses?: readonly string[] | undefined;
  /** The desk's own proxies that they come through. */
  proxies?: readonly string[] | undefined;
};

/**
 * The hex HMAC-SHA256 of a request (PROTOCOL 5.2.2). `path` is as sent, with its query; the method upper case;
 * `body` the bytes as sent, empty for GET and for the WebSocket handshake.
 */
export function signRequest(request: {
  secretKey: string;
  timestamp: string | number;
  method: string;
  path: string;
  body: Uint8Array | string;
}): string {
  const hmac = createHmac('sha256', request.secretKey).update(
    `${request.timestamp}${request.method}${request.path}`,
    'latin1',
  );
  if (request.body.length > 0) hmac.update(request.body);
  return hmac.digest('hex');
}
