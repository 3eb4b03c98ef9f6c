import { DeskError } from '../../protocol/desk-error.ts';
import { signRequest } from '../../protocol/hmac.ts';
import { pause } from '../../time/pause.ts';
import { jsonOf } from './failures.ts';

/** What can be wrong with the service itself, for drills: read at every request, changed at any time. */
export interface ConsumerFaults {
  /** Nothing leaves the service, its WebSocket is closed and what it had cached is gone. */
  down: boolean;
  /** How much later than it should every request leaves, in milliseconds. */
  slowMs: number;
  /** Requests are signed with a secret that is not the agreed one. */
  wrongSecret: boolean;
  /** How far the service's clock is off in the timestamps it signs, in milliseconds; above zero is ahead. */
  clockOffsetMs: number;
}

/** A service without faults. */
export function noFaults(): ConsumerFaults {
  return { down: false, slowMs: 0, wrongSecret: false, clockOffsetMs: 0 };
}

/** What the service and the maker agreed on (PROTOCOL 5.2). */
export interface Credentials {
  domain: string;
  accessKey: string;
  secretKey: string;
}

/**
 * The four headers of a request that leaves now (PROTOCOL 5.2). `path` is the whole path with its query; `body` as sent.
 * The faults have their say: another secret, another clock.
 */
export function signedHeaders(
  credentials: Credentials,
  request: { method: 'GET' | 'POST'; path: string; body: string },
  { now, faults }: { now: () => number; faults: ConsumerFaults },
): Record<string, string> {
  const timestamp = `${now() + faults.clockOffsetMs}`;
  const { domain, accessKey } = credentials;
  const secretKey = faults.wrongSecret ? `not ${credentials.secretKey}` : credentials.secretKey;
  return {
    'X-AUTH-DOMAIN': domain,
    'X-AUTH-ACCESS-KEY': accessKey,
    'X-AUTH-TIMESTAMP': timestamp,
    'X-AUTH-SIGNATURE': signRequest({ ...request, secretKey, timestamp }),
  };
}

/** Longer answers are cut off and not read. */
export const LONGEST_ANSWER_BYTES = 8 * 2 ** 20;

export interface SurfaceAnswer {
  status: number;
  /** The parsed JSON, or undefined when it was none. */
  body: unknown;
}

export interface SurfaceClient {
  /** @throws DeskError `no_answer` when the answer is not there, whole, within `patienceMs`; `too_long` */
  call(path: string, request: { patienceMs: number; signal: AbortSignal; body?: object }): Promise<SurfaceAnswer>;
}

/**
 * The surfaces of a maker, each once in turn, the first of them first. They serve the same desk, so that the service asks whichever
 * is next.
 */
export function inTurn(surfaceUrls: readonly string[]): () => string {
  let asked = 0;
  return () => (surfaceUrls[asked++ % surfaceUrls.length] ?? '').replace(/\/$/, '');
}

/** What a connection fails with to which nothing listens: nothing was said, and another surface may be asked. */
const NOBODY_THERE = 'ECONNREFUSED';

function isNobodyThere(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause && cause.code === NOBODY_THERE;
}

/**
 * Calls a maker's surface the way the service does: every request signed, over the full path (PROTOCOL 5.2). Where nothing listens the
 * next of their surfaces is called at once, each of them once.
 */
export function openSurfaceClient(options: {
  surfaceUrls: readonly string[];
  basePath: string;
  counterparty: Credentials;
  now: () => number;
  faults?: ConsumerFaults;
}): SurfaceClient {
  const { surfaceUrls, basePath, counterparty, now, faults = noFaults() } = options;
  const next = inTurn(surfaceUrls);
  return {
    async call(path, { patienceMs, signal, body: json }) {
      if (faults.slowMs > 0) await pause(faults.slowMs, signal);
      const method = json === undefined ? 'GET' : 'POST';
      const body = json === undefined ? '' : JSON.stringify(json);
      const attempt = new AbortController();
      const giveUp = () => attempt.abort(signal.reason);
      signal.addEventListener('abort', giveUp);
      const late = new DeskError('no_answer', `no answer within ${patienceMs / 1000} s`);
      const timer = setTimeout(() => attempt.abort(late), patienceMs);
      try {
        signal.throwIfAborted();
        const content = method === 'POST' ? { body } : {};
        for (let left = surfaceUrls.length; ; left -= 1) {
          const url = new URL(`${next()}${basePath}${path}`);
          const signed = { method, path: url.pathname + url.search, body } as const;
          const headers = {
            'content-type': 'application/json',
            ...signedHeaders(counterparty, signed, { now, faults }),
          };
          try {
            // A redirection is an answer like others: nothing signed is taken elsewhere.
            const asked = { method, headers, ...content, redirect: 'manual', signal: attempt.signal } as const;
            const response = await fetch(url, asked);
            return { status: response.status, body: jsonOf(await textOf(response)) };
          } catch (error) {
            if (left <= 1 || !isNobodyThere(error)) throw error;
          }
        }
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
}

async function textOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > LONGEST_ANSWER_BYTES) {
      await reader.cancel().catch(() => {});
      throw new DeskError('too_long', `the answer is longer than ${LONGEST_ANSWER_BYTES} bytes`);
    }
    parts.push(part.value);
  }
  return Buffer.concat(parts).toString('utf8');
}
