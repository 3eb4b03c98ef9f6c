import { DeskError } from '../../protocol/desk-error.ts';
import { pause } from '../../protocol/pause.ts';
import { type ConsumerFaults, noFaults } from './consumer-faults.ts';
import { type Credentials, signedHeaders } from './signed-headers.ts';

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

/** Calls a maker's surface the way the service does: every request signed, over the full path (PROTOCOL 5.2). */
export function openSurfaceClient(options: {
  surfaceUrl: string;
  basePath: string;
  counterparty: Credentials;
  now: () => number;
  faults?: ConsumerFaults;
}): SurfaceClient {
  const { surfaceUrl, basePath, counterparty, now, faults = noFaults() } = options;
  return {
    async call(path, { patienceMs, signal, body: json }) {
      if (faults.slowMs > 0) await pause(faults.slowMs, signal);
      const url = new URL(`${surfaceUrl.replace(/\/$/, '')}${basePath}${path}`);
      const method = json === undefined ? 'GET' : 'POST';
      const body = json === undefined ? '' : JSON.stringify(json);
      const signed = { method, path: url.pathname + url.search, body } as const;
      const headers = {
        'content-type': 'application/json',
        ...signedHeaders(counterparty, signed, { now, faults }),
      };
      const attempt = new AbortController();
      const giveUp = () => attempt.abort(signal.reason);
      signal.addEventListener('abort', giveUp);
      const late = new DeskError('no_answer', `no answer within ${patienceMs / 1000} s`);
      const timer = setTimeout(() => attempt.abort(late), patienceMs);
      try {
        signal.throwIfAborted();
        const content = method === 'POST' ? { body } : {};
        // A redirection is an answer like others: nothing signed is taken elsewhere.
        const response = await fetch(url, {
          method,
          headers,
          ...content,
          redirect: 'manual',
          signal: attempt.signal,
        });
        return { status: response.status, body: parseJson(await textOf(response)) };
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
