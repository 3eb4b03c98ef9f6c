import { once } from 'node:events';
import net from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REFUSALS } from '../../electron/contract/refusal.ts';
import type { Level } from '../../electron/protocol/wire.ts';
import { aGrid, FakeChain, WETH } from './fake-chain.ts';
import { fold, openFeed, refusedFeed } from './feed-client.ts';
import { bodyOf, call, raw, signatureHeaders } from './http-client.ts';
import { COUNTERPARTIES, surfaceOf } from './open-surface.ts';

const OTHER_KEYS = { accessKey: 'another-key', secretKey: 'another-secret', signedPath: 'full' } as const;
const priced = (price: string) => {
  const bids: Level[] = [[price, '1']];
  return aGrid({ prices: { 'WETH/USDC': { bids } } });
};

describe('who may ask changes while the desk trades', () => {
  it('closes the feeds of those alone whose credentials changed or left, and of the unsigned once somebody has to sign', async () => {
    let parties: typeof COUNTERPARTIES = new Map();
    const { port, surface } = await surfaceOf(undefined, { counterparties: () => parties });
    const unsigned = await openFeed(port);
    parties = COUNTERPARTIES;
    surface.refresh(null);
    expect((await unsigned.closed)[0]).toBe(1001);
    const opened = (domain: string, signedPath: string) =>
      openFeed(port, '/31337/ws', signatureHeaders('GET', '/31337/ws', '', domain, signedPath));
    const [kept, changed] = [await opened('desk.example', '/31337/ws'), await opened('short.example', '/ws')];
    parties = new Map(COUNTERPARTIES).set('short.example', { ...COUNTERPARTIES.get('short.example'), ...OTHER_KEYS });
    surface.refresh(null);
    expect((await changed.closed)[0]).toBe(1001);
    expect(surface.webSockets(31337)).toBe(1);
    parties = new Map([['short.example', { ...OTHER_KEYS }]]);
    surface.refresh(null);
    expect((await kept.closed)[0]).toBe(1001);
  });

  it('leaves a feed open while the keys that it was opened with are still taken, and closes it with their end', async () => {
    const keys = COUNTERPARTIES.get('desk.example');
    if (keys === undefined) throw new Error('There are no such keys.');
    let parties = new Map([['desk.example', keys]]);
    const { port, surface } = await surfaceOf(undefined, { counterparties: () => parties });
    const feed = await openFeed(port, '/31337/ws', signatureHeaders('GET', '/31337/ws'));
    const { accessKey, secretKey } = keys;
    parties = new Map([['desk.example', { ...OTHER_KEYS, earlier: { accessKey, secretKey } }]]);
    surface.refresh(null);
    expect(surface.webSockets(31337)).toBe(1);
    const again = await openFeed(port, '/31337/ws', signatureHeaders('GET', '/31337/ws'));
    expect(surface.webSockets(31337)).toBe(2);
    parties = new Map([['desk.example', { ...OTHER_KEYS }]]);
    surface.refresh(null);
    for (const { closed } of [feed, again]) expect((await closed)[0]).toBe(1001);
  });
});

describe('prices that stand still', () => {
  const EURC = 'EURC/USDC';
  /** A surface whose clock a test moves; it looks at its feeds every few milliseconds. */
  async function standing(maxAgeSeconds: number) {
    const clock = { ms: 0 };
    const opened = await surfaceOf(undefined, { monotonic: () => clock.ms, bounds: { resendMs: 5 } });
    opened.chain.feedMaxAgeSeconds = maxAgeSeconds;
    const { 'WETH/USDC': weth = {} } = opened.chain.grid.prices;
    opened.chain.grid = { ...opened.chain.grid, prices: { 'WETH/USDC': weth, [EURC]: weth, 'DARK/USDC': {} } };
    return { ...opened, clock, weth };
  }
  /** Long enough for the surface to look many times, were there anything to send. */
  const looks = () => new Promise((resolve) => setTimeout(resolve, 60));

  it('are sent again before their age limit, lit pairs only and nothing but prices', async () => {
    const { port, clock, weth } = await standing(4);
    const feed = await openFeed(port);
    await feed.message(1);
    await looks();
    expect(feed.messages).toHaveLength(1);
    clock.ms += 2_000;
    expect(await feed.message(2)).toEqual({ prices: { 'WETH/USDC': weth, [EURC]: weth } });
    clock.ms += 1_999;
    await looks();
    expect(feed.messages).toHaveLength(2);
    clock.ms += 1;
    expect(await feed.message(3)).toEqual({ prices: { 'WETH/USDC': weth, [EURC]: weth } });
  });

  it('are told from those that moved, which are no older than their last update', async () => {
    const { port, clock, chain, surface, weth } = await standing(4);
    const feed = await openFeed(port);
    await feed.message(1);
    await looks();
    const moved = priced('3000').prices['WETH/USDC'] ?? {};
    chain.grid = { ...chain.grid, prices: { ...chain.grid.prices, 'WETH/USDC': moved } };
    surface.refresh(31337);
    expect(await feed.message(2)).toEqual({ prices: { 'WETH/USDC': moved } });
    clock.ms += 2_000;
    expect(await feed.message(3)).toEqual({ prices: { [EURC]: weth } });
    clock.ms += 2_000;
    expect(await feed.message(4)).toEqual({ prices: { 'WETH/USDC': moved, [EURC]: weth } });
  });

  it('are not sent after a stop, nor for a pair that is dark, nor where the setting is 0', async () => {
    const { port, clock, chain, surface, weth } = await standing(4);
    const feed = await openFeed(port);
    await feed.message(1);
    await looks();
    // A reference went stale: the snapshot serves the pair dark, and that alone is told.
    chain.grid = { ...chain.grid, prices: { 'WETH/USDC': {}, [EURC]: weth } };
    surface.refresh(31337);
    expect((await feed.message(2))?.prices).toMatchObject({ 'WETH/USDC': {} });
    for (const n of [3, 4]) {
      clock.ms += 2_000;
      expect(await feed.message(n)).toEqual({ prices: { [EURC]: weth } });
    }
    // Closed, and nobody has told the feed yet: what /prices would not say is not said here either.
    chain.grid = { ...chain.grid, closed: 'halted' };
    clock.ms += 4_000;
    await looks();
    expect(feed.messages).toHaveLength(4);
    chain.grid = { ...chain.grid, closed: null };
    chain.feedMaxAgeSeconds = 0;
    clock.ms += 10_000;
    await looks();
    expect(feed.messages).toHaveLength(4);
  });
});

describe('the WebSocket feed', () => {
  it('begins with the four GET bodies in one message', async () => {
    const { port, chain } = await surfaceOf();
    const feed = await openFeed(port);
    const { tokens, pairs, prices, blacklist } = chain.grid;
    expect(await feed.message(1)).toEqual({ tokens, pairs, prices, blacklist });
  });

  it('goes on with what changed, to every consumer of that chain and no other', async () => {
    const { port, surface, chains } = await surfaceOf([new FakeChain(1, ''), new FakeChain(10, '/10')]);
    const feeds = [await openFeed(port, '/ws'), await openFeed(port, '/ws')];
    const other = await openFeed(port, '/10/ws');
    await Promise.all([...feeds, other].map((feed) => feed.message(1)));
    const [chain] = chains;
    if (chain === undefined) throw new Error('there are two');
    chain.grid = priced('3000');
    surface.refresh(1);
    for (const feed of feeds) expect(await feed.message(2)).toEqual({ prices: chain.grid.prices });
    chain.grid = { ...chain.grid, blacklist: [...chain.grid.blacklist, WETH] };
    surface.refresh(1);
    for (const feed of feeds) expect(await feed.message(3)).toEqual({ blacklist: [WETH] });
    expect(other.messages).toHaveLength(1);
    expect([surface.webSockets(1), surface.webSockets(10), surface.webSockets(5)]).toEqual([2, 1, 0]);
  });

  it('tells a line for their log to every consumer of a chain or of all, between the grids, as a message of its own', async () => {
    const { port, surface, chains } = await surfaceOf([new FakeChain(1, ''), new FakeChain(10, '/10')]);
    const [feed, other] = [await openFeed(port, '/ws'), await openFeed(port, '/10/ws')];
    await Promise.all([feed, other].map((one) => one.message(1)));
    const line = 'pausing WETH at 10:00 UTC, “back soon”';
    expect([surface.say(1, line), surface.say(null, 'bye'), surface.say(5, 'nobody')]).toEqual([1, 2, 0]);
    const [chain] = chains;
    if (chain === undefined) throw new Error('there are two');
    chain.grid = priced('3000');
    surface.refresh(1);
    expect(await feed.message(2)).toEqual({ message: line });
    expect(await feed.message(3)).toEqual({ message: 'bye' });
    expect(await feed.message(4)).toEqual({ prices: chain.grid.prices });
    expect(await other.message(2)).toEqual({ message: 'bye' });
    chain.grid = { ...chain.grid, closed: 'halted' };
    surface.refresh(1);
    await feed.closed;
    expect(surface.say(1, 'after the end')).toBe(0);
  });

  it('says nothing when a change comes to nothing', async () => {
    const { port, surface, chain } = await surfaceOf();
    const feed = await openFeed(port);
    await feed.message(1);
    chain.grid = structuredClone(chain.grid);
    surface.refresh(31337);
    chain.grid = priced('3000');
    surface.refresh(null);
    expect(await feed.message(2)).toEqual({ prices: chain.grid.prices });
  });

  it('closes when the chain closes, refuses to open meanwhile with the reason, and begins anew afterwards', async () => {
    const { port, surface, chain } = await surfaceOf();
    const feed = await openFeed(port);
    await feed.message(1);
    chain.grid = aGrid({ closed: 'draining' });
    surface.refresh(31337);
    expect(surface.webSockets(31337)).toBe(0);
    expect((await feed.closed)[0]).toBe(1001);
    const refused = await refusedFeed(port, '/31337/ws');
    expect(refused).toEqual({ status: 503, json: { error: REFUSALS.draining.sentence, code: 'draining' } });
    chain.grid = priced('5');
    surface.refresh(31337);
    const again = await openFeed(port);
    expect(await again.message(1)).toMatchObject({ prices: chain.grid.prices });
  });

  it('cuts a consumer that does not take part in closing', async () => {
    const { port, surface, chain } = await surfaceOf();
    const { socket } = await rawFeed(port);
    chain.grid = aGrid({ closed: 'halted' });
    surface.refresh(31337);
    await once(socket, 'close');
  });

  it('refuses other paths, too many consumers and broken handshakes with JSON', async () => {
    const { port } = await surfaceOf(undefined, { bounds: { maxFeeds: 1 } });
    expect(await refusedFeed(port, '/nowhere')).toMatchObject({ status: 404, json: { code: 'not_found' } });
    expect(await refusedFeed(port, '/31337/prices')).toMatchObject({ status: 404, json: { code: 'not_found' } });
    await openFeed(port);
    expect(await refusedFeed(port, '/31337/ws')).toMatchObject({ status: 503, json: { code: 'busy' } });
  });

  it('refuses broken handshakes with JSON', async () => {
    const { port } = await surfaceOf();
    const head = 'GET /31337/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
    for (const rest of [
      '',
      'Sec-WebSocket-Key: nonsense\r\n',
      'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\nSec-WebSocket-Version: 99\r\n',
    ]) {
      const answer = await raw(port, `${head}${rest}\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(bodyOf(answer)).toMatchObject({ code: 'invalid_request', error: expect.stringMatching(/.{10}/) });
    }
  });

  it('ignores small frames from consumers and closes one that sends a large frame', async () => {
    const { port, surface, chain } = await surfaceOf();
    const [quiet, loud] = [await openFeed(port), await openFeed(port)];
    quiet.socket.send('hello');
    quiet.socket.send(Buffer.from([1, 2, 3]));
    loud.socket.on('error', () => {});
    loud.socket.send(Buffer.alloc(70_000));
    expect((await loud.closed)[0]).toBe(1009);
    chain.grid = priced('1');
    surface.refresh(31337);
    expect(await quiet.message(2)).toEqual({ prices: chain.grid.prices });
    await expect.poll(() => surface.webSockets(31337)).toBe(1);
    expect((await call(port, 'GET', '/31337/prices')).status).toBe(200);
  });

  it('finds consumers that are gone by pinging them, and keeps those that answer', async () => {
    const { port, surface } = await surfaceOf(undefined, { bounds: { pingMs: 100 } });
    const alive = await openFeed(port);
    const { socket } = await rawFeed(port);
    socket.resume();
    expect(surface.webSockets(31337)).toBe(2);
    await once(socket, 'close');
    await expect.poll(() => surface.webSockets(31337)).toBe(1);
    expect(alive.socket.readyState).toBe(alive.socket.OPEN);
  });

  it('ends with the surface and with its chain', async () => {
    const chains = [new FakeChain(1, '/1'), new FakeChain(2, '/2')];
    const { port, surface } = await surfaceOf(chains, { chains: () => [...chains] });
    const [first, second] = [await openFeed(port, '/1/ws'), await openFeed(port, '/2/ws')];
    chains.shift();
    surface.refresh(null);
    await first.closed;
    expect(surface.webSockets(2)).toBe(1);
    await surface.close();
    await second.closed;
  });
});

describe('a consumer that folds what it is sent', () => {
  it('holds what the GETs serve, after many random edits and however often it connects anew', async () => {
    const { port, surface, chain } = await surfaceOf();
    const ids = ['A', 'B', 'C', 'D'];
    const aSide = fc.array(fc.tuple(fc.constantFrom('1', '2.5'), fc.constantFrom('1', '0.5')), { maxLength: 2 });
    const anEdit = fc.record({
      id: fc.constantFrom(...ids),
      entry: fc.record({ bids: aSide, asks: aSide }, { requiredKeys: [] }),
      reconnects: fc.boolean(),
      waits: fc.boolean(),
    });
    let feed = await openFeed(port);
    for (const { id, entry, reconnects, waits } of fc.sample(anEdit, 300)) {
      chain.grid = { ...chain.grid, prices: { ...chain.grid.prices, [id]: entry } };
      surface.refresh(31337);
      if (waits) await new Promise((resolve) => setImmediate(resolve));
      if (!reconnects) continue;
      feed.socket.close();
      await feed.closed;
      feed = await openFeed(port);
    }
    const got = (await call(port, 'GET', '/31337/prices')).json;
    const held = () => feed.messages.reduce(fold, { tokens: {}, pairs: {}, prices: {}, blacklist: [] }).prices;
    await expect.poll(() => ({ prices: held() })).toEqual(got);
  });
});

describe('a consumer that reads slowly', () => {
  it('costs one message at most, and gets the latest state once it reads again', async () => {
    const { port, surface, chain } = await surfaceOf();
    const padding = 'x'.repeat(1_000);
    const bigGrid = (round: number) => {
      const entries = Array.from({ length: 300 }, (_, i): [string, { bids: Level[] }] => [
        `${padding}${i}`,
        { bids: [[`${round}.${i}`, '1']] },
      ]);
      return aGrid({ prices: Object.fromEntries(entries) });
    };
    chain.grid = bigGrid(0);
    const feed = await openFeed(port);
    await feed.message(1);
    feed.socket.pause();
    const rounds = 400; // 120 MB if every state were queued
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().external;
    for (let round = 1; round <= rounds; round += 1) {
      chain.grid = bigGrid(round);
      surface.refresh(31337);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const queued = process.memoryUsage().arrayBuffers + process.memoryUsage().external - before;
    expect(queued).toBeLessThan(20e6);
    feed.socket.resume();
    const last = JSON.stringify(chain.grid.prices);
    for (let n = 2; JSON.stringify(feed.messages.at(-1)?.prices) !== last; n += 1) await feed.message(n);
    expect(feed.messages.length).toBeLessThan(rounds / 2);
  });
});

describe('lines for a consumer that reads slowly', () => {
  it('wait, ten of them at most, and come in order before the latest grid', async () => {
    const { port, surface, chain } = await surfaceOf();
    chain.grid = aGrid({ prices: { [`${'x'.repeat(32e6)}`]: { bids: [['1', '1']] } } });
    const feed = await openFeed(port);
    feed.socket.pause();
    const told = Array.from({ length: 20 }, (_, index) => surface.say(31337, `line ${index}`));
    expect(told).toEqual([...Array(10).fill(1), ...Array(10).fill(0)]);
    chain.grid = priced('3000');
    surface.refresh(31337);
    feed.socket.resume();
    for (let n = 0; n < 10; n += 1) expect(await feed.message(n + 2)).toEqual({ message: `line ${n}` });
    expect(await feed.message(12)).toMatchObject({ prices: chain.grid.prices });
  });
});

/** A consumer that shakes hands and then neither reads nor answers anything. */
async function rawFeed(port: number) {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    'GET /31337/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  );
  await once(socket, 'readable');
  socket.resume();
  return { socket };
}
