import { randomBytes, randomInt } from 'node:crypto';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { signRequest } from '../../electron/protocol/hmac.ts';
import { LEVEL_AMOUNT } from './bench-desk-file.ts';

/** How many different requests for prices a load goes round in, and how many users ask. */
const DIFFERENT = 2_000;
const USERS = Array.from({ length: 1_000 }, () => `0x${randomBytes(20).toString('hex')}`);
/** How many requests for quotes were made: each asks for so many raw units more than it would, so that no two are the same. */
let made = 0n;

/** Requests for /prices. With authentication each has a signature of its own, which is good for 30 s. */
export function priceRequests(desk: DeskFile): string[] {
  return Array.from({ length: DIFFERENT }, () => whole(desk, 'GET', '/prices', ''));
}

/** More requests for quotes than any server here answers in a second. */
export const MOST_A_SECOND = 25_000;

/**
 * `count` signed requests for quotes over all pairs, both ways, given in either token, one to three levels deep. Good for
 * 30 s, and each for one order.
 */
export function firmRequests(desk: DeskFile, count: number): string[] {
  return Array.from({ length: count }, (_, number) => whole(desk, 'POST', '/firm', firmBody(desk, number)));
}

function firmBody(desk: DeskFile, number: number): string {
  const [chain] = desk.chains;
  const pairs = Object.entries(chain?.pairs ?? {});
  const [pairId, pair] = pairs[number % pairs.length] ?? [];
  if (chain === undefined || pairId === undefined || pair === undefined) throw new Error('a desk file without pairs');
  const [base, quote] = [chain.tokens[pair.base]?.address, chain.tokens[pair.quote]?.address];
  const makerGivesBase = randomInt(2) === 0;
  const givenIsBase = randomInt(2) === 0;
  const units = randomInt(1, 30 * LEVEL_AMOUNT) / 10;
  const price = Number(chain.prices[pairId]?.bids[0]?.[0]);
  made += 1n;
  const amount = givenIsBase ? BigInt(units * 10) * 10n ** 17n : BigInt(Math.round(units * price)) * 10n ** 6n;
  return JSON.stringify({
    makerAsset: makerGivesBase ? base : quote,
    takerAsset: makerGivesBase ? quote : base,
    [makerGivesBase === givenIsBase ? 'makerAmount' : 'takerAmount']: String(amount + (made % 1_000_000n)),
    userAddress: USERS[number % USERS.length],
    takerAddress: chain.takers[0],
    special: false,
  });
}

function whole(desk: DeskFile, method: 'GET' | 'POST', endpoint: string, body: string): string {
  const path = `${desk.chains[0]?.basePath}${endpoint}`;
  const headers: [string, string | number][] = [['host', '127.0.0.1']];
  if (body !== '') headers.push(['content-type', 'application/json'], ['content-length', Buffer.byteLength(body)]);
  const [credentials] = desk.counterparties;
  if (credentials !== undefined) {
    const { domain, accessKey = '', secretKey = '' } = credentials;
    // Spread over the last second, so that few polls are the same.
    const timestamp = Date.now() - randomInt(1_000);
    const signature = signRequest({ secretKey, timestamp, method, path, body });
    headers.push(['x-auth-domain', domain], ['x-auth-access-key', accessKey]);
    headers.push(['x-auth-timestamp', timestamp], ['x-auth-signature', signature]);
  }
  return `${method} ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
