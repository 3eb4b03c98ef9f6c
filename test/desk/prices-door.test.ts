import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Credentials } from '../../electron/desk/credentials.ts';
import { PricesDoor } from '../../electron/desk/prices-door.ts';
import { CHAIN, configuredBook, type OpenBook } from '../book/fixture.ts';

const PAIR = 'WETH/USDC';
const LADDER = { bids: [['3410.1', '0.5']], asks: [['3411.3', '0.5']] };
const ALPHA = { name: 'alpha', rights: 'prices', since: 1, by: 'mara' };
const tokenUses = { used() {} };
const log = { info() {}, warn() {}, error() {} } as never;

const folders: string[] = [];
function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'tokens-'));
  folders.push(made);
  return made;
}
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true });
});

let credentials: Credentials;
let alpha: string;
let elsewhere: string;

beforeAll(async () => {
  credentials = new Credentials(newFolder(), async () => 'a passphrase');
  ({ token: alpha } = await credentials.makeToken(ALPHA));
  const other = new Credentials(newFolder(), async () => 'a passphrase');
  ({ token: elsewhere } = await other.makeToken(ALPHA));
});

let desk: OpenBook;
let door: PricesDoor;
let url: string;

beforeEach(async () => {
  desk = await configuredBook();
  door = new PricesDoor({ book: desk.book, credentials, tokenUses, log }, 0);
  await door.begin();
  url = door.url ?? '';
  return () => door.close();
});

interface Answered {
  status: number;
  body: unknown;
}

/** Asks the door, as an engine does unless told otherwise. */
function ask(
  path: string,
  {
    method = 'PUT',
    body,
    token = alpha,
    headers = {},
  }: { method?: string; body?: unknown; token?: string | null; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { method, headers: { ...authorization, ...headers } }, (answer: IncomingMessage) => {
      let said = '';
      answer.on('data', (chunk) => {
        said += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(said) }));
    })
      .on('error', reject)
      .end(text);
  });
}

/** A WebSocket of an engine, and its answers in order. */
async function engine(headers: Record<string, string> = { authorization: `Bearer ${alpha}` }) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers });
  const answers: unknown[] = [];
  socket.on('message', (data) => answers.push(JSON.parse(String(data))));
  const opened = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  return { socket, answers, opened };
}

const ladder = () => desk.book.chain(CHAIN)?.pairs.get(PAIR)?.ladder;

test('a body is answered with the revision by which each pair is served, and whoever comes back is told where they were', async () => {
  expect(await ask(`/${CHAIN}`, { method: 'GET' })).toEqual({ status: 200, body: { sequence: 0, revisions: {} } });
  const answer = await ask(`/${CHAIN}`, { body: { sequence: 1, prices: { [PAIR]: LADDER, 'A/B': LADDER } } });
  expect(answer).toEqual({
    status: 200,
    body: {
      sequence: 1,
      revisions: { [PAIR]: 2 },
      refused: { 'A/B': { code: 'unknown_pair', error: expect.any(String) } },
    },
  });
  expect(ladder()).toMatchObject({ revision: 2, actor: 'prices:alpha', ladder: LADDER });
  const mids = await ask(`/${CHAIN}`, { body: { sequence: 2, mids: { [PAIR]: '3420' } } });
  expect(mids.body).toEqual({ sequence: 2, revisions: { [PAIR]: 3 }, refused: {} });
  expect(await ask(`/${CHAIN}`, { method: 'GET' })).toEqual({
    status: 200,
    body: { sequence: 2, revisions: { [PAIR]: 3 } },
  });
});

test('a usual port that another program has is told, and taken once it is free', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const usual = new PricesDoor({ book: desk.book, credentials, tokenUses, log }, null, port);
  try {
    await usual.begin();
    expect([usual.url, usual.missed]).toEqual([null, port]);
    other.close();
    await once(other, 'close');
    // Somebody else may have it for a moment.
    await vi.waitFor(async () => {
      await usual.open();
      expect([usual.url, usual.missed]).toEqual([`http://127.0.0.1:${port}`, null]);
    });
  } finally {
    other.close();
    await usual.close();
  }
});

describe('nothing is taken', () => {
  const update = { sequence: 1, prices: { [PAIR]: LADDER } };
  test.each<[string, () => Promise<Answered>, number, string]>([
    ['without a token', () => ask(`/${CHAIN}`, { token: null, body: update }), 401, 'unauthorized'],
    ['with a token of another desk', () => ask(`/${CHAIN}`, { token: elsewhere, body: update }), 401, 'unauthorized'],
    ['with a part of the token', () => ask(`/${CHAIN}`, { token: alpha.slice(1), body: update }), 401, 'unauthorized'],
    [
      'under another name of this machine',
      () => ask(`/${CHAIN}`, { headers: { host: 'evil.example' }, body: update }),
      421,
      'misdirected',
    ],
    [
      'from a page of the web',
      () => ask(`/${CHAIN}`, { headers: { origin: 'https://evil.example' }, body: update }),
      421,
      'misdirected',
    ],
    ['for a chain the desk does not have', () => ask('/7', { body: update }), 404, 'unknown_chain'],
    ['at another path', () => ask('/prices', { body: update }), 404, 'not_found'],
    ['by another method', () => ask(`/${CHAIN}`, { method: 'POST', body: update }), 405, 'method_not_allowed'],
    [
      'that is no JSON',
      () => ask(`/${CHAIN}`, { body: '{"sequence":1,"mids":{"WETH/USDC":NaN}}' }),
      400,
      'invalid_request',
    ],
    ['without a number', () => ask(`/${CHAIN}`, { body: { prices: {} } }), 400, 'invalid_request'],
    [
      'with a number that is none',
      () => ask(`/${CHAIN}`, { body: { ...update, sequence: 1.5 } }),
      400,
      'invalid_request',
    ],
    [
      'with ladders and mids at once',
      () => ask(`/${CHAIN}`, { body: { ...update, mids: {} } }),
      400,
      'invalid_request',
    ],
    ['with a field nobody knows', () => ask(`/${CHAIN}`, { body: { ...update, price: {} } }), 400, 'invalid_request'],
    ['that is a list', () => ask(`/${CHAIN}`, { body: [] }), 400, 'invalid_request'],
    [
      'with a number that leaves some out',
      () => ask(`/${CHAIN}`, { body: { ...update, sequence: 2 } }),
      409,
      'sequence_gap',
    ],
    ['that is larger than 1 MiB', () => ask(`/${CHAIN}`, { body: ' '.repeat(1024 * 1024 + 1) }), 413, 'body_too_large'],
  ])('%s', async (_what, send, status, code) => {
    expect(await send()).toEqual({ status, body: { code, error: expect.stringMatching(/^[A-Z].*\.$/) } });
    expect(ladder()?.revision).toBe(1);
  });
});

test('a WebSocket takes many at once and answers each with its chain and number; what is wrong ends nothing', async () => {
  const { socket, answers, opened } = await engine();
  expect(opened).toBe(true);
  for (let sequence = 1; sequence <= 40; sequence += 1) {
    socket.send(JSON.stringify({ chainId: CHAIN, sequence, mids: { [PAIR]: `${3_412 + sequence}` } }));
  }
  await expect.poll(() => answers.length).toBe(40);
  const told = answers as { chainId: number; sequence: number; revisions: Record<string, number> }[];
  expect(told.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 40 }, (_, at) => at + 1),
  );
  expect(told.every(({ chainId, revisions }) => chainId === CHAIN && revisions[PAIR] !== undefined)).toBe(true);
  expect(ladder()?.revision).toBe(Math.max(...told.map(({ revisions }) => revisions[PAIR] ?? 0)));
  answers.length = 0;
  socket.send('{');
  socket.send(JSON.stringify({ sequence: 41, mids: {} }));
  socket.send(JSON.stringify({ chainId: 7, sequence: 41, mids: {} }));
  socket.send(JSON.stringify({ chainId: CHAIN, sequence: 41, mids: { [PAIR]: '3450' } }));
  await expect.poll(() => answers.length).toBe(4);
  expect(answers).toContainEqual({ code: 'invalid_request', error: expect.stringContaining('not JSON') });
  expect(answers).toContainEqual({ code: 'invalid_request', error: expect.stringContaining('chainId') });
  expect(answers).toContainEqual(expect.objectContaining({ chainId: 7, sequence: 41, code: 'unknown_chain' }));
  expect(answers).toContainEqual(expect.objectContaining({ chainId: CHAIN, sequence: 41, refused: {} }));
  socket.terminate();
});

test('a WebSocket is opened for a token that counts, to this machine and its own pages only', async () => {
  const authorization = `Bearer ${alpha}`;
  for (const headers of [
    {},
    { authorization: `Bearer ${elsewhere}` },
    { authorization, host: 'evil.example' },
    { authorization, origin: 'https://evil.example' },
  ]) {
    expect((await engine(headers as Record<string, string>)).opened).toBe(false);
  }
});

test('an engine that dies in the middle of a message has said nothing, and begins where it was', async () => {
  await ask(`/${CHAIN}`, { body: { sequence: 1, prices: { [PAIR]: LADDER } } });
  const body = JSON.stringify({ sequence: 2, mids: { [PAIR]: '3425' } });
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  const head = `PUT /${CHAIN} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${alpha}\r\nContent-Length: ${body.length}\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(head + body.slice(0, -5), () => resolve()));
  socket.destroy();
  const half = await engine();
  half.socket.once('error', () => {});
  // The first half of a text frame that says it goes on.
  half.socket.send(JSON.stringify({ chainId: CHAIN, ...JSON.parse(body) }).slice(0, 30), { fin: false });
  half.socket.terminate();
  expect((await ask(`/${CHAIN}`, { method: 'GET' })).body).toEqual({ sequence: 1, revisions: { [PAIR]: 2 } });
  expect((await ask(`/${CHAIN}`, { body })).body).toMatchObject({ sequence: 2, revisions: { [PAIR]: 3 } });
});

test('the hash of a token is kept and nothing else of it; once revoked it opens nothing, and its engines are let go', async () => {
  const own = new Credentials(newFolder(), async () => 'a passphrase');
  const { token, hash } = await own.makeToken(ALPHA);
  expect(hash).not.toContain(token);
  expect(own.secrets()).not.toContain(token);
  await expect(own.makeToken(ALPHA)).rejects.toMatchObject({ code: 'token_exists' });
  const guarded = new PricesDoor({ book: desk.book, credentials: own, tokenUses, log }, 0);
  await guarded.begin();
  url = guarded.url ?? '';
  const open = await engine({ authorization: `Bearer ${token}` });
  const closed = new Promise((resolve) => open.socket.once('close', resolve));
  const revoked = own.revokeToken('alpha');
  guarded.revoke('alpha');
  expect((await ask(`/${CHAIN}`, { method: 'GET', token })).status).toBe(401);
  expect(await closed).toBe(1008);
  await revoked;
  expect(own.tokens()).toEqual([]);
  await expect(own.revokeToken('alpha')).rejects.toMatchObject({ code: 'no_such_token' });
  await guarded.close();
});

test('without a port that was asked for the door is shut until there is a token', async () => {
  const none = new Credentials(newFolder(), async () => 'a passphrase');
  await none.load();
  const shut = new PricesDoor({ book: desk.book, credentials: none, tokenUses, log }, null);
  await shut.begin();
  expect(shut.url).toBeNull();
});
