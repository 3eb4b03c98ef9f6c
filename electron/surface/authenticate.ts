import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pathUnder } from '../protocol/base-path.ts';
import { type Counterparty, TIMESTAMP_TOLERANCE_MS } from '../protocol/hmac.ts';
import { HmacKey } from '../protocol/hmac-key.ts';
import { askedFrom, Networks } from './asked-from.ts';
import type { Route } from './route-table.ts';
import type { SurfaceContext } from './surface-context.ts';

type HeaderBag = Readonly<Record<string, string | string[] | undefined>>;

/**
 * `skewMs`: the request's clock minus ours, in milliseconds. A refusal names the domain only where everything but the
 * timestamp was right, so that a stranger is never taken for the service with a wrong clock. `signature`: the hex digits
 * in lower case. `earlier`: it was signed with keys that newer ones took the place of.
 */
export type AuthVerdict =
  | { ok: true; domain: string; skewMs: number; signature: string; oneOrder: boolean; earlier?: true }
  | { ok: false; code?: 'address_not_allowed'; sentence: string; stale?: { domain: string; skewMs: number } };

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
  const judged = { method: request.method ?? '', path, body, now, counterparties, basePath };
  const verdict = checkRequest(request.headers, judged);
  if (!verdict.ok) return verdict;
  const refusal = elsewhere(context, request, verdict.domain);
  if (refusal !== null) return refusal;
  if (verdict.earlier) context.onEarlierKeys({ domain: verdict.domain, at: now });
  return verdict;
}

/** Refuses what is signed as it should be and comes from where its counterparty may not ask; whoever has no keys does not learn from where it may. */
function elsewhere(context: SurfaceContext, { headers, socket }: IncomingMessage, domain: string): AuthVerdict | null {
  const counterparty = context.counterparties().get(domain);
  if (counterparty === undefined) return null;
  const { addresses, proxies } = keysOf(counterparty);
  if (addresses === null) return null;
  const forwarded = headers['x-forwarded-for'];
  const address = askedFrom(socket.remoteAddress, Array.isArray(forwarded) ? forwarded.join() : forwarded, proxies);
  if (address !== null && addresses.has(address)) return null;
  context.onElsewhere({ domain, address, at: context.now() });
  const from = address ?? 'an unknown address';
  return { ok: false, code: 'address_not_allowed', sentence: `${domain} may not ask from ${from}.` };
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

/**
 * Judges the four headers of a request (PROTOCOL 5.2.4). A refusal comes with a sentence to debug by, without secrets.
 * `path` is the request's, with its query (none for a WebSocket handshake); `now` is Unix milliseconds. The body of a
 * GET is not part of what is signed, and the hex digits may be of either case.
 */
export function checkRequest(
  headers: HeaderBag,
  request: {
    method: string;
    path: string;
    body: Uint8Array;
    now: number;
    counterparties: ReadonlyMap<string, Counterparty>;
    basePath: string;
  },
): AuthVerdict {
  const domain = headers['x-auth-domain'];
  const accessKey = headers['x-auth-access-key'];
  const timestamp = headers['x-auth-timestamp'];
  const signature = headers['x-auth-signature'];
  if (!present(domain)) return missing('X-AUTH-DOMAIN');
  if (!present(accessKey)) return missing('X-AUTH-ACCESS-KEY');
  if (!present(timestamp)) return missing('X-AUTH-TIMESTAMP');
  if (!present(signature)) return missing('X-AUTH-SIGNATURE');
  const counterparty = request.counterparties.get(domain);
  if (counterparty === undefined) return refused('X-AUTH-DOMAIN names no domain that is known here.');
  const named = keysOf(counterparty).pairs.filter((pair) => sameSecret(accessKey, pair.accessKey));
  if (named.length === 0) {
    return refused('X-AUTH-ACCESS-KEY is not the access key of this domain.');
  }
  if (!TIMESTAMP.test(timestamp)) return refused('X-AUTH-TIMESTAMP is not a time in milliseconds since 1970.');
  const skewMs = Number(timestamp) - request.now;
  const stale = Math.abs(skewMs) > TIMESTAMP_TOLERANCE_MS ? refused(skewSentence(skewMs, request.now)) : null;
  if (!SIGNATURE.test(signature)) return stale ?? refused('X-AUTH-SIGNATURE is not 64 hex digits.');
  const path = counterparty.signedPath === 'full' ? request.path : pathUnder(request.basePath, request.path);
  const { method } = request;
  const body = method === 'GET' ? NOTHING : request.body; // a GET signs no body, also where one was sent (rule 2)
  const sent = Buffer.from(signature, 'hex');
  const [signer] = named.filter(({ secretKey }) =>
    timingSafeEqual(sent, secretKey.digest(timestamp + method + path, body)),
  );
  const isSigned = signer !== undefined;
  if (stale) return isSigned ? { ...stale, stale: { domain, skewMs } } : stale;
  if (!isSigned) {
    return refused(
      `X-AUTH-SIGNATURE does not match. Expected: hex HMAC-SHA256, keyed with the secret key, of timestamp, ${method}, ` +
        `${path.slice(0, 200)} and the ${body.length} bytes of the body, without separators.`,
    );
  }
  const oneOrder = counterparty.oneOrderPerSignature !== false;
  const verdict = { ok: true, domain, skewMs, signature: signature.toLowerCase(), oneOrder } as const;
  return signer.isEarlier ? { ...verdict, earlier: true } : verdict;
}

const TIMESTAMP = /^[0-9]{1,15}$/;
/** The spec leaves the case of the hex digits open. */
const SIGNATURE = /^[0-9a-fA-F]{64}$/;
const NOTHING = new Uint8Array(0);

function present(header: string | string[] | undefined): header is string {
  return typeof header === 'string' && header !== '';
}

function refused(sentence: string): { ok: false; sentence: string } {
  return { ok: false, sentence };
}

function missing(name: string): AuthVerdict {
  return refused(`${name} is missing or empty.`);
}

type Pair = { accessKey: Buffer; secretKey: HmacKey; isEarlier: boolean };
type Keys = { pairs: readonly Pair[]; addresses: Networks | null; proxies: Networks | null };
const prepared = new WeakMap<Counterparty, Keys>();

function keysOf(counterparty: Counterparty): Keys {
  const known = prepared.get(counterparty);
  if (known !== undefined) return known;
  const pairOf = (
    { accessKey, secretKey }: Pick<Counterparty, 'accessKey' | 'secretKey'>,
    isEarlier: boolean,
  ): Pair => {
    return { accessKey: Buffer.from(accessKey, 'utf8'), secretKey: new HmacKey(secretKey), isEarlier };
  };
  const { earlier } = counterparty;
  const keys = {
    pairs: [pairOf(counterparty, false), ...(earlier === undefined ? [] : [pairOf(earlier, true)])],
    addresses: networksOf(counterparty.addresses),
    proxies: networksOf(counterparty.proxies),
  };
  prepared.set(counterparty, keys);
  return keys;
}

function networksOf(entries: readonly string[] | undefined): Networks | null {
  return entries === undefined ? null : new Networks(entries);
}

/** Takes as long for a wrong text as for the right one. */
function sameSecret(given: string, secret: Buffer): boolean {
  const sent = Buffer.from(given, 'latin1');
  const sameLength = sent.length === secret.length;
  return timingSafeEqual(sameLength ? sent : secret, secret) && sameLength;
}

function skewSentence(skewMs: number, now: number): string {
  const away = Math.round(Math.abs(skewMs) / 1000);
  const word = skewMs < 0 ? 'behind' : 'ahead of';
  return `X-AUTH-TIMESTAMP is ${away} s ${word} our clock, which says ${now}; at most ${TIMESTAMP_TOLERANCE_MS / 1000} s are allowed.`;
}
