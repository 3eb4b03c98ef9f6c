import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { request as requestOverTls } from 'node:https';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import type { Address } from '../../electron/protocol/address.ts';

export interface Answer {
  status: number;
  json: {
    order?: Record<string, string | number>;
    error?: string;
    code?: string;
    prices?: Record<string, { bids?: [string, string][]; asks?: [string, string][] }>;
  };
  /** Monotonic milliseconds. */
  sentAt: number;
  receivedAt: number;
}

export interface TakerClient {
  get(path: string): Promise<Answer>;
  /** What a GET of this path is signed with, also the handshake of the WebSocket. */
  signed(path: string): Record<string, string>;
  /** Asks for a quote that sells base units to the maker ("bids") or buys them ("asks"). */
  firm(side: 'bids' | 'asks', makerOrTaker: { makerAmount: string } | { takerAmount: string }): Promise<Answer>;
}

const ASKED_BY: Address = `0x${'a1'.repeat(20)}`;
type Given = { makerAmount: string } | { takerAmount: string };

/** Calls the surface as the service does; over TLS by the certificate of `authority`. */
export function takerClient(
  surfaceUrl: string,
  desk: DeskFile,
  user: Address = ASKED_BY,
  authority?: string,
): TakerClient {
  const { protocol, hostname, port } = new URL(surfaceUrl);
  const call = (method: string, path: string, body: string): Promise<Answer> => {
    const whole = `${desk.chains[0]?.basePath}${path}`;
    const headers = { ...signature(desk, method, whole, body), 'content-length': String(Buffer.byteLength(body)) };
    const sentAt = performance.now();
    return new Promise((resolve, reject) => {
      const to = { host: hostname, port, path: whole, method, headers, ca: authority };
      const outgoing = (protocol === 'https:' ? requestOverTls : request)(to, (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, json: JSON.parse(text), sentAt, receivedAt: performance.now() }),
        );
        answer.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  };
  return {
    get: (path) => call('GET', path, ''),
    signed: (path) => signature(desk, 'GET', `${desk.chains[0]?.basePath}${path}`, ''),
    firm: (side, amount) => call('POST', '/firm', firmBody(desk, side, amount, user)),
  };
}

/** A whole signed request for a quote as it goes over a socket; good for as long as its timestamp is. */
export function signedFirmRequest(
  desk: DeskFile,
  side: 'bids' | 'asks',
  amount: Given,
  user: Address = ASKED_BY,
): string {
  const path = `${desk.chains[0]?.basePath}/firm`;
  const body = firmBody(desk, side, amount, user);
  const headers = {
    host: '127.0.0.1',
    ...signature(desk, 'POST', path, body),
    'content-length': Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** With credentials of their own making, not the desk's code (PROTOCOL 5.2). */
function signature(desk: DeskFile, method: string, path: string, body: string): Record<string, string> {
  const [credentials] = desk.counterparties;
  if (!credentials) return { 'content-type': 'application/json' };
  const timestamp = String(Date.now());
  const payload = timestamp + method + path + body;
  return {
    'content-type': 'application/json',
    'x-auth-domain': credentials.domain,
    'x-auth-access-key': credentials.accessKey ?? '',
    'x-auth-timestamp': timestamp,
    'x-auth-signature': createHmac('sha256', credentials.secretKey ?? '')
      .update(payload)
      .digest('hex'),
  };
}

function firmBody(desk: DeskFile, side: 'bids' | 'asks', amount: Given, user: Address): string {
  const [chain] = desk.chains;
  const [pair] = Object.values(chain?.pairs ?? {});
  const base = chain?.tokens[pair?.base ?? '']?.address;
  const quote = chain?.tokens[pair?.quote ?? '']?.address;
  const assets = side === 'asks' ? { makerAsset: base, takerAsset: quote } : { makerAsset: quote, takerAsset: base };
  return JSON.stringify({
    ...assets,
    ...amount,
    userAddress: user,
    takerAddress: chain?.takers[0] ?? user,
    special: false,
  });
}
