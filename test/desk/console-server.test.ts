import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
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

function handshake(query: string, headers: Record<string, string> = {}): Promise<'open' | 'refused'> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc${query}`, { headers });
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

test('only the token opens the desk, and the console says under which name', async () => {
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
