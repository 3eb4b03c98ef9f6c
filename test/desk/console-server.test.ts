import { mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ConsoleServer, openConsoleServer } from '../../electron/desk/console-server.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';

const TOKEN = 'a-token-made-for-this-test';
let server: ConsoleServer;
let port: number;
const connected: string[] = [];

beforeAll(async () => {
  const files = mkdtempSync(join(tmpdir(), 'console-'));
  writeFileSync(join(files, 'index.html'), '<p>the console</p>');
  writeFileSync(join(files, '..', 'outside.txt'), 'not for a browser');
  server = await openConsoleServer({
    port: 0,
    files,
    token: TOKEN,
    actor: 'somebody',
    connect: (_socket, actor) => connected.push(actor),
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
  expect(connected).toEqual(['somebody', 'Trader 1']);
});

test('a taken port is a sentence that names it', async () => {
  const second = openConsoleServer({
    port,
    files: '/',
    token: TOKEN,
    actor: 'x',
    connect: () => {},
    log: { warn: () => {} },
  });
  await expect(second).rejects.toThrow(DeskError);
  await expect(second).rejects.toThrow(String(port));
});
