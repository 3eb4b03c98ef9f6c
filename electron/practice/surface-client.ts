import { DeskError } from '../protocol/desk-error.ts';
import { signRequest } from '../protocol/hmac.ts';

export interface SurfaceAnswer {
  status: number;
  /** The parsed JSON, or undefined when it was none. */
  body: unknown;
}

export interface SurfaceClient {
  /** @throws when the surface does not answer within `patienceMs` */
  call(path: string, request: { patienceMs: number; signal: AbortSignal; body?: object }): Promise<SurfaceAnswer>;
}

/** Calls a maker's surface the way the service does: every request signed, over the full path (spec 5.2). */
export function openSurfaceClient(options: {
  surfaceUrl: string;
  basePath: string;
  counterparty: { domain: string; accessKey: string; secretKey: string };
  now: () => number;
}): SurfaceClient {
  const { surfaceUrl, basePath, counterparty, now } = options;
  return {
    async call(path, { patienceMs, signal, body: json }) {
      const url = new URL(`${surfaceUrl.replace(/\/$/, '')}${basePath}${path}`);
      const method = json === undefined ? 'GET' : 'POST';
      const body = json === undefined ? '' : JSON.stringify(json);
      const timestamp = `${now()}`;
      const { secretKey, accessKey, domain } = counterparty;
      const headers = {
        'content-type': 'application/json',
        'X-AUTH-DOMAIN': domain,
        'X-AUTH-ACCESS-KEY': accessKey,
        'X-AUTH-TIMESTAMP': timestamp,
        'X-AUTH-SIGNATURE': signRequest({ secretKey, timestamp, method, path: url.pathname + url.search, body }),
      };
      const attempt = new AbortController();
      const giveUp = () => attempt.abort(signal.reason);
      signal.addEventListener('abort', giveUp);
      const timer = setTimeout(() => attempt.abort(new DeskError('no_answer', 'no answer in time')), patienceMs);
      try {
        signal.throwIfAborted();
        const content = method === 'POST' ? { body } : {};
        const response = await fetch(url, { method, headers, ...content, signal: attempt.signal });
        return { status: response.status, body: parseJson(await response.text()) };
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why a call failed, in words for a log line. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
