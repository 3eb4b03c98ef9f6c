import { isSealed, partsOf, withoutKeys } from '../contract/sealed-url.ts';
import type { ErrorCode } from '../protocol/desk-error.ts';
import { systemFault } from '../protocol/system-fault.ts';
import { parsedOr, refusalWords, shown } from './refusal-words.ts';
import { type Fate, ServiceFault } from './service-fault.ts';

/** How to ask. `timeoutMs` is for the whole answer; more than `maxBytes` is not read. */
export interface AskOptions {
  url: string;
  /** What answers, as a sentence begins: "The reference". */
  who: string;
  timeoutMs?: number;
  maxBytes?: number;
  signal?: AbortSignal;
  /** The answer's status that is a plain no, and the code of the error for it. */
  notFound?: ErrorCode;
  /** Sent as JSON with POST; without it the question is a GET. */
  post?: unknown;
  /** Goes out as `X-API-KEY`. */
  apiKey?: string;
  /** The query may be a key: what is answered is told without it. */
  isQuerySecret?: boolean;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** A service that asks for more patience than this is not waited for anyway. */
const MOST_RETRY_AFTER_MS = 86_400_000;
const NOT_JSON = Symbol('not JSON');

/** Failures of a connection before anything was said on it. */
const NEVER_LEFT = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
]);

/**
 * Asks for JSON. Everything that goes wrong is a ServiceFault whose sentence names who was asked and keeps what it said:
 * `service_unreachable`, `service_refused` (with status and text), `service_nonsense` for what is no JSON, and the
 * `notFound` code for a 404.
 */
export async function askService(options: AskOptions): Promise<unknown> {
  const { who, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, signal, notFound, post, apiKey, isQuerySecret } = options;
  if (isSealed(options.url)) {
    const sentence = `The key in the address of ${new URL(options.url).host} is not at hand.`;
    throw new ServiceFault('service_unreachable', sentence, { fate: 'not_sent', remedy: 'Give the whole address.' });
  }
  const { login, query } = partsOf(options.url);
  const url = withoutLogin(options.url);
  const late = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      headers: {
        accept: 'application/json',
        ...(url !== options.url && { authorization: `Basic ${Buffer.from(login.join(':')).toString('base64')}` }),
        ...(post !== undefined && { 'content-type': 'application/json' }),
        ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      },
      ...(post !== undefined && { method: 'POST', body: JSON.stringify(post) }),
      signal: signal ? AbortSignal.any([signal, late]) : late,
      redirect: 'error',
    });
    text = await readText(response, maxBytes);
  } catch (cause) {
    throw unreachable(who, cause, late.aborted ? timeoutMs : null);
  }
  const { status } = response;
  const told = withoutKeys([...login, ...(isQuerySecret ? query : [])], text);
  if (status === 404 && notFound !== undefined) throw refusal(notFound, `${who} does not know it`, response, told);
  if (status < 200 || status > 299) {
    throw refusal('service_refused', `${who} refused with HTTP ${status}`, response, told);
  }
  const answer = parsedOr(text, NOT_JSON);
  if (answer !== NOT_JSON) return answer;
  const sentence = `${who} answered with something that is not JSON: ${shown(told)}`;
  throw new ServiceFault('service_nonsense', sentence, { fate: 'unknown', status });
}

/** User info goes out as a header: with it in the URL, fetch refuses, and its refusal repeats the URL. */
function withoutLogin(whole: string): string {
  const url = new URL(whole);
  if (`${url.username}${url.password}` === '') return whole;
  url.username = '';
  url.password = '';
  return url.href;
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusal(code: ErrorCode, sentence: string, { status, headers }: Response, text: string): ServiceFault {
  const { errorType, said, permitRequired } = refusalWords(text);
  return new ServiceFault(code, `${sentence}: ${said}`, {
    // A gateway that gives up does not know what the service behind it did.
    fate: status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unknown',
    status,
    errorType,
    said,
    permitRequired,
    retryAfterMs: retryAfter(headers.get('retry-after')),
    remedy: status === 429 ? 'It counts calls: wait a little, then ask again.' : '',
  });
}

function retryAfter(header: string | null): number | null {
  if (header === null || !/^[0-9]{1,9}$/.test(header.trim())) return null;
  return Math.min(Number(header) * 1_000, MOST_RETRY_AFTER_MS);
}

function unreachable(who: string, cause: unknown, timeoutMs: number | null): ServiceFault {
  if (timeoutMs !== null) {
    const sentence = `${who} did not answer within ${timeoutMs / 1_000} s.`;
    return new ServiceFault('service_unreachable', sentence, { fate: 'unknown', timedOut: true, cause });
  }
  const { reason, code } = bottomOf(cause);
  const fate: Fate = NEVER_LEFT.has(code) ? 'not_sent' : 'unknown';
  return new ServiceFault('service_unreachable', `${who} does not answer: ${reason}.`, { fate, cause });
}

/** What lies at the bottom of an error of fetch, which itself says "fetch failed". */
function bottomOf(error: unknown): { reason: string; code: string } {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  if (!(deepest instanceof Error)) return { reason: String(deepest), code: '' };
  const { code = '' } = deepest as NodeJS.ErrnoException;
  const said = deepest.message || code || deepest.name;
  return { reason: systemFault(deepest) ?? shown(said).replace(/\.$/, ''), code };
}
