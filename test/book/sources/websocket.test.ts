import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { exactJson } from '../../../electron/book/sources/exact-json.ts';
import { websocket } from '../../../electron/book/sources/websocket/source.ts';
import { feedServer } from './feed-server.ts';
import { hearSource } from './hear-source.ts';

const PAIR = 'WETH/USDC';
const OTHER = 'WBTC/USDC';
const PATHS = {
  [PAIR]: { where: { 'data.symbol': 'ETH-USD' }, bid: 'data.bid', ask: 'data.ask', time: 'data.time' },
  [OTHER]: { where: { 'data.symbol': 'BTC-USD' }, mid: 'data.levels.0.price' },
};

/** Hears a feed with a clock that stands still. */
function hear(url: string, settings: Record<string, unknown> = {}, whole = (shut: string) => shut) {
  return hearSource(websocket, { url, pairs: PATHS, ...settings }, { whole });
}

const ticker = (fields: object) => JSON.stringify({ data: { symbol: 'ETH-USD', ...fields } });

it('a feed is told what to send, and what it says of each pair is found in its messages to the last digit, numbers or texts', async () => {
  const feed = await feedServer();
  const { heard, line } = hear(feed.url, { subscribe: [{ op: 'subscribe', channels: ['ticker'] }] });
  await expect.poll(() => feed.said).toEqual([{ op: 'subscribe', channels: ['ticker'] }]);
  feed.send('{"op":"subscribed"}');
  feed.send(
    '{"data":{"symbol":"ETH-USD","bid":3410.123456789012345678,"ask":"3411.10","time":"1970-01-01T00:16:39.500Z"}}',
  );
  feed.send('{"data":{"symbol":"BTC-USD","levels":[{"price":"98000.5"},{"price":1}]}}');
  await expect.poll(() => heard.of(OTHER)).toEqual({ bid: '98000.5', ask: '98000.5', time: 1_000_000 });
  expect(heard.of(PAIR)).toEqual({ bid: '3410.123456789012345678', ask: '3411.10', time: 999_500 });
  expect(line()).toMatchObject({ fault: null, lastError: null, lastAt: 1_000_000 });
});

it.each([
  ['not a number', { bid: null, ask: 'NaN' }, 'its bid'],
  ['a negative', { bid: '-1', ask: '1' }, 'its bid must be a plain decimal number such as 3412.5'],
  ['zero', { bid: '0.00', ask: '1' }, 'its bid is zero'],
  ['an exponent', { bid: 1e-7, ask: 1 }, 'its bid must be a plain decimal number such as 3412.5'],
  ['78 digits', { bid: '1', ask: '9'.repeat(78) }, 'its ask has more digits than a price needs'],
  ['1,000 digits', { bid: '1', ask: '9'.repeat(1_000) }, 'its ask must have at most 200 digits'],
  ['a bid over its ask', { bid: '3411', ask: '3410.9' }, 'its bid 3411 is over its ask 3410.9'],
  ['a moment that is far ahead', { bid: '1', ask: '1', time: 1_100_000 }, 'its time is 100 s in the future'],
  [
    'a moment that is none',
    { bid: '1', ask: '1', time: { toString: 1 } },
    'its time is neither Unix milliseconds nor ISO 8601',
  ],
  ['a price that is an object', { bid: { toString: 1 }, ask: '1' }, 'its bid'],
])('%s is refused with its pair and why, and what was said before stays', async (_what, said, why) => {
  const feed = await feedServer();
  const { heard, line } = hear(feed.url);
  await expect.poll(() => feed.sockets.size).toBe(1);
  feed.send(ticker({ bid: '3410', ask: '3411', time: 999_000 }));
  await expect.poll(() => heard.of(PAIR)?.bid).toBe('3410');
  feed.send(ticker({ time: 1_000_000, ...said }));
  await expect.poll(() => line().pairs[PAIR]?.fault ?? '').toContain(why);
  expect(line().lastError?.error).toMatch(/^WETH\/USDC: its /);
  expect(heard.of(PAIR)?.bid).toBe('3410');
  expect(feed.sockets.size).toBe(1);
  feed.send(ticker({ bid: '3412', ask: '3413', time: 999_999 }));
  await expect.poll(() => line().pairs[PAIR]).toMatchObject({ price: { bid: '3412' }, fault: null });
});

it('an older word never takes the place of a newer one', async () => {
  const feed = await feedServer();
  const { heard } = hear(feed.url);
  await expect.poll(() => feed.sockets.size).toBe(1);
  feed.send(ticker({ bid: '3410', ask: '3411', time: 999_000 }));
  await expect.poll(() => heard.of(PAIR)?.bid).toBe('3410');
  feed.send(ticker({ bid: '1', ask: '2', time: 998_999 }));
  feed.send('{"data":{"symbol":"BTC-USD","levels":[{"price":"98000.5"}]}}');
  await expect.poll(() => heard.of(OTHER)?.bid).toBe('98000.5');
  expect(heard.of(PAIR)?.bid).toBe('3410');
});

it('thousands of messages a second come to the newest of each pair, and every one is counted', async () => {
  const feed = await feedServer();
  const { heard } = hear(feed.url);
  await expect.poll(() => feed.sockets.size).toBe(1);
  let times = 0;
  const before = heard.heard.bind(heard);
  heard.heard = (said, told) => {
    times += 1;
    before(said, told);
  };
  for (let index = 1; index <= 5_000; index += 1)
    feed.send(ticker({ bid: String(index), ask: '9000', time: 1_000_000 }));
  await expect.poll(() => heard.of(PAIR)?.bid).toBe('5000');
  expect(times).toBeLessThan(1_000);
});

it.each([
  [
    'sends more than a desk reads',
    (feed: Feed) => flood(feed),
    'The source feed sent more than 10000 messages in a second.',
  ],
  [
    'sends a message without an end',
    (feed: Feed) => endless(feed),
    'The source feed sent a message larger than 256 KiB.',
  ],
  ['sends what is no JSON', (feed: Feed) => feed.send('{"data":'), 'The source feed sent something that is not JSON.'],
  ['hangs up', (feed: Feed) => closeAll(feed), 'The source feed closed the connection (1001).'],
])('a feed that %s is let go with a sentence, and connected again', async (_what, act, sentence) => {
  const feed = await feedServer();
  const { heard, line } = hear(feed.url);
  await expect.poll(() => feed.sockets.size).toBe(1);
  act(feed);
  await expect.poll(() => line().fault).toBe(sentence);
  feed.onConnect = (socket) => socket.send(ticker({ bid: '3410', ask: '3411', time: 999_000 }));
  await expect.poll(() => heard.of(PAIR)?.bid, { timeout: 60_000 }).toBe('3410');
  expect(feed.connected).toBeGreaterThan(1);
  expect(line()).toMatchObject({ fault: null, lastError: { error: sentence } });
});

type Feed = Awaited<ReturnType<typeof feedServer>>;
const flood = (feed: Feed) => {
  for (let index = 0; index < 60_000; index += 1) feed.send('{}');
};
const endless = (feed: Feed) => {
  for (const socket of feed.sockets) {
    for (let part = 0; part < 300; part += 1) socket.send('1'.repeat(1_024), { fin: false });
  }
};
const closeAll = (feed: Feed) => {
  for (const socket of feed.sockets) socket.close(1001);
};

it('a feed that says nothing is let go after its time, and asked again', async () => {
  const feed = await feedServer();
  const { line } = hear(feed.url, { silentSeconds: 1 });
  await expect.poll(() => line().fault, { timeout: 60_000 }).toBe('The source feed said nothing for 1 s.');
  await expect.poll(() => feed.connected, { timeout: 60_000 }).toBeGreaterThan(1);
});

it('a feed that sends elsewhere is not followed there, and what may be a key in its address is not repeated', async () => {
  const elsewhere = await feedServer();
  const server = createServer();
  server.on('upgrade', (_request, socket) =>
    socket.end(`HTTP/1.1 302 Found\r\nlocation: ${elsewhere.url}\r\ncontent-length: 0\r\n\r\n`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { line } = hear(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/?token=geheimnis`);
  await expect.poll(() => line().fault).toBe('The source feed answered with HTTP 302 instead of a WebSocket.');
  expect(elsewhere.connected).toBe(0);
});

it('nobody there, and a key that is not at hand, are sentences; a feed that is not needed any more is let go', async () => {
  const nobody = hear('ws://127.0.0.1:1');
  await expect.poll(() => nobody.line().fault).toBe('The source feed cannot be reached: nobody listens there.');
  const shut = hear('ws://127.0.0.1:1', {}, (url) => `${url}/#sealed-0123456789abcdef`);
  await expect.poll(() => shut.line().fault).toMatch(/has a key in its address that is not at hand/);
  const feed = await feedServer();
  const open = hear(feed.url);
  await expect.poll(() => feed.sockets.size).toBe(1);
  open.stop.abort();
  await open.ended;
  await expect.poll(() => feed.sockets.size).toBe(0);
});

it('a number in a message keeps every digit, beside texts that look like numbers or quotes', () => {
  expect(exactJson('{"a":0.1000000000000000055,"b":"1\\"2","c":[-1,1e5,"\\\\"],"d":true}')).toEqual({
    a: '0.1000000000000000055',
    b: '1"2',
    c: ['-1', '1e5', '\\'],
    d: true,
  });
});

it.each([
  ['neither a mid nor a bid and an ask', { [PAIR]: { bid: 'a' } }],
  ['both', { [PAIR]: { mid: 'a', bid: 'b', ask: 'c' } }],
  ['a place that is none', { [PAIR]: { mid: 'a..b' } }],
])('settings that say %s are refused with their path', (_what, pairs) => {
  expect(websocket.faults({ kind: 'websocket', url: 'wss://feed.example', pairs })[0]?.path).toMatch(/^pairs/);
});
