import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { openConsoleServer } from '../../electron/desk/console-server.ts';
import { openFeed, refusedFeed } from '../surface/feed-client.ts';
import { signatureHeaders } from '../surface/http-client.ts';
import { COUNTERPARTIES, surfaceOf } from '../surface/open-surface.ts';

const SIGNED = { counterparties: () => COUNTERPARTIES };
const PRICES = '/31337/prices';

const taken: { destroy(): void }[] = [];
afterEach(() => {
  for (const each of taken.splice(0)) each.destroy();
});

/** A connection that is open and holds still, after it has sent `text`. */
async function holder(port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  taken.push(socket);
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  if (text !== '') socket.write(text);
  socket.resume();
  return socket;
}

const holders = (count: number, port: number, text?: string) =>
  Promise.all(Array.from({ length: count }, () => holder(port, text)));

/** Somebody with one connection, who signs. */
function caller(port: number, domain = 'desk.example') {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  taken.push(agent);
  let reused = false;
  const get = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = signatureHeaders('GET', PRICES, '', domain, domain === 'short.example' ? '/prices' : PRICES);
      const outgoing = http.get({ host: '127.0.0.1', port, path: PRICES, headers, agent }, (answer) => {
        reused = outgoing.reusedSocket;
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      });
      outgoing.on('error', reject);
    });
  return { get, reused: () => reused };
}

const closed = (socket: Socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()));

describe('connections on which nobody says who they are', () => {
  it.each([
    ['that say nothing', undefined],
    ['that were refused', `GET ${PRICES} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['in the middle of a request', `POST /31337/firm HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{`],
  ])(
    'do not shut the service out, a thousand of them %s: neither its new connections nor those it has',
    async (_how, text) => {
      const { port } = await surfaceOf(undefined, SIGNED);
      const before = caller(port);
      expect(await before.get()).toBe(200);
      await holders(1_100, port, text);
      expect(await before.get()).toBe(200);
      expect(before.reused()).toBe(true);
      expect(await caller(port).get()).toBe(200);
    },
  );

  it('are closed after a short time, and those of a counterparty are not', async () => {
    const { port } = await surfaceOf(undefined, { ...SIGNED, bounds: { strangerMs: 1_500 } });
    const known = caller(port);
    expect(await known.get()).toBe(200);
    const strangers = [await holder(port), await holder(port, `GET ${PRICES} HTTP/1.1\r\nHost: x\r\n\r\n`)];
    await Promise.all(strangers.map(closed));
    expect(await known.get()).toBe(200);
    expect(known.reused()).toBe(true);
  });

  it('are few at the console too, and a console still comes in', async () => {
    const connected: string[] = [];
    const token = 'a-token-made-for-this-test';
    const connectConsole = (_socket: unknown, { actor }: { actor: string }) => void connected.push(actor);
    const log = { warn: () => {} };
    const console = await openConsoleServer({
      port: 0,
      outside: [],
      files: tmpdir(),
      token,
      nameOf: () => 'x',
      holderOf: () => null,
      connect: connectConsole,
      log,
    });
    const port = Number(new URL(console.url).port);
    const held = await holders(100, port);
    await Promise.race(held.map(closed));
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    await holder(port, `GET /rpc?token=${token} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${upgrade}\r\n\r\n`);
    await expect.poll(() => connected).toEqual(['x']);
    await console.close();
  });
});

describe('a counterparty with too many connections', () => {
  it('loses those it used least, and costs another none', async () => {
    const { port } = await surfaceOf(undefined, { ...SIGNED, bounds: { maxPerDomain: 3 } });
    const other = caller(port, 'short.example');
    expect(await other.get()).toBe(200);
    const many = Array.from({ length: 4 }, () => caller(port));
    for (const each of many) expect(await each.get()).toBe(200);
    for (const each of [other, ...many.slice(1)]) {
      expect(await each.get()).toBe(200);
      expect(each.reused()).toBe(true);
    }
    const [first] = many;
    expect(await first?.get()).toBe(200);
    expect(first?.reused()).toBe(false);
  });

  it('gets no more feeds, and another does', async () => {
    const { port } = await surfaceOf(undefined, { ...SIGNED, bounds: { maxFeeds: 1 } });
    const headers = (domain: string, path: string) => signatureHeaders('GET', '/31337/ws', '', domain, path);
    const own = await openFeed(port, '/31337/ws', headers('desk.example', '/31337/ws'));
    taken.push({ destroy: () => own.socket.terminate() });
    const more = await refusedFeed(port, '/31337/ws', headers('desk.example', '/31337/ws'));
    expect(more).toMatchObject({ status: 503, json: { code: 'busy' } });
    const other = await openFeed(port, '/31337/ws', headers('short.example', '/ws'));
    taken.push({ destroy: () => other.socket.terminate() });
    await other.message(1);
  });
});
