import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { offeredProtocols } from '../../electron/contract/console-access.ts';
import type { Right } from '../../electron/contract/rights.ts';
import { type ConsoleServer, openConsoleServer } from '../../electron/desk/console-server.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';

const TOKEN = 'a-token-made-for-this-test';
let server: ConsoleServer;
let port: number;
const connected: string[] = [];
/** What the tokens of others let them do; revoked ones are let do nothing. */
const others = new Map([
  ['a-token-of-tom', { name: 'tom', rights: 'halt', may: (): Right[] => ['halt'] }],
  ['a-token-of-an-engine', { name: 'engine', rights: 'prices', may: () => [] }],
]);

beforeAll(async () => {
  const files = mkdtempSync(join(tmpdir(), 'console-'));
  writeFileSync(join(files, 'index.html'), '<p>the console</p>');
  writeFileSync(join(files, '..', 'outside.txt'), 'not for a browser');
  server = await openConsoleServer({
    port: 0,
    files,
    outside: [new URL('https://desk.example.com/')],
    token: TOKEN,
    nameOf: (given) => given ?? 'somebody',
    holderOf: (token) => others.get(token) ?? null,
    connect: (_socket, { actor, holder }) => void connected.push(`${actor}: ${holder?.rights ?? 'all'}`),
    log: { warn: () => {} },
  });
  port = Number(new URL(server.url).port);
});
afterAll(() => server.close());

function get(path: string, host = `127.0.0.1:${port}`): Promise<{ status: number; text: string; policy: string }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, text, policy: String(answer.headers['content-security-policy']) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

function handshake(
  query: string,
  headers: Record<string, string> = {},
  protocols: string[] = [],
): Promise<'open' | 'refused'> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc${query}`, protocols, { headers });
  return new Promise((resolve) => {
    socket.once('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.once('error', () => resolve('refused'));
  });
}

test('the console is served with a policy that allows nothing from elsewhere', async () => {
  const page = await get('/');
  expect(page).toMatchObject({ status: 200, text: '<p>the console</p>' });
  expect(page.policy).toContain("default-src 'none'");
});

test('no path leads out of the folder of the console', async () => {
  for (const path of ['/../outside.txt', '/..%2foutside.txt', '/%2e%2e/outside.txt', '/a/../../outside.txt', '/%00']) {
    expect((await get(path)).status, path).toBe(404);
  }
});

test('a page of the web that names this machine by a name of its own is refused', async () => {
  expect((await get('/', 'evil.example')).status).toBe(403);
  expect(await handshake(`?token=${TOKEN}`, { host: 'evil.example' })).toBe('refused');
  expect(await handshake(`?token=${TOKEN}`, { origin: 'https://evil.example' })).toBe('refused');
});

test('through an address of a proxy people come in by a token of their own, which is not in the address', async () => {
  connected.length = 0;
  const [toms, outside] = [offeredProtocols('a-token-of-tom'), { host: 'desk.example.com' }];
  const by = (protocols: string[], headers: Record<string, string>) =>
    handshake('', { ...outside, ...headers }, protocols);
  expect((await get('/', 'desk.example.com')).status).toBe(200);
  expect(await by(toms, { origin: 'https://desk.example.com' })).toBe('open');
  expect(await by(toms, {})).toBe('open');
  expect(connected).toEqual(['tom: halt', 'tom: halt']);
  expect(await by(toms, { origin: 'https://evil.example' })).toBe('refused');
  expect(await by(toms, { origin: 'http://desk.example.com' })).toBe('refused');
  expect(await by(toms, { origin: 'http://127.0.0.1:8788' })).toBe('refused');
  expect(await by(offeredProtocols(TOKEN), {})).toBe('refused');
  expect(await handshake('?token=a-token-of-tom', outside)).toBe('refused');
  expect(await handshake(`?token=${TOKEN}`, outside)).toBe('refused');
});

test('what a proxy passed on is not taken for this machine, whatever it made of the name', async () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
    expect(await handshake(`?token=${TOKEN}`, { [name]: '127.0.0.1' }), name).toBe('refused');
  }
});

test('only the token opens the desk, and the console says under which name', async () => {
  connected.length = 0;
  expect(await handshake('')).toBe('refused');
  expect(await handshake(`?token=${TOKEN}x`)).toBe('refused');
  expect(await handshake(`?token=${TOKEN}`)).toBe('open');
  expect(await handshake(`?token=${TOKEN}&actor=Trader%201`)).toBe('open');
  expect(connected).toEqual(['somebody: all', 'Trader 1: all']);
});

test('whoever comes with a token of their own is who it was handed out to, whatever they call themselves; an engine has no console', async () => {
  connected.length = 0;
  expect(await handshake('?token=a-token-of-tom&actor=Trader%201')).toBe('open');
  expect(await handshake('?token=a-token-of-an-engine')).toBe('refused');
  expect(connected).toEqual(['tom: halt']);
});

test('the lines of a revoked token end by themselves, and no others do', async () => {
  const open = (token: string) => new WebSocket(`ws://127.0.0.1:${port}/rpc?token=${token}`);
  const [toms, ours] = [open('a-token-of-tom'), open(TOKEN)];
  await Promise.all([once(toms, 'open'), once(ours, 'open')]);
  const closed = once(toms, 'close');
  server.revoke('tom');
  await closed;
  expect(ours.readyState).toBe(WebSocket.OPEN);
  ours.terminate();
});

test('a taken port is a sentence that names it', async () => {
  const second = openConsoleServer({
    port,
    outside: [],
    files: '/',
    token: TOKEN,
    nameOf: () => 'x',
    holderOf: () => null,
    connect: () => {},
    log: { warn: () => {} },
  });
  await expect(second).rejects.toThrow(DeskError);
  await expect(second).rejects.toThrow(String(port));
});
