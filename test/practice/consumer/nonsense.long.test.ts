import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { PriceEntry } from '../../../electron/protocol/wire.ts';
import { consumerOf } from './open-test-consumer.ts';
import { NO_CHAIN, openStubMaker, type StubMaker } from './stub-maker.ts';

let maker: StubMaker;
const PRACTICE_ENTRY: PriceEntry = { bids: [['3411.4', '2']], asks: [['3412.96', '2']] };

beforeAll(async () => {
  maker = await openStubMaker(NO_CHAIN);
});
afterAll(async () => {
  await maker?.close();
});
beforeEach(() => {
  maker.instead.clear();
  maker.channel = null;
});

/** For silence, which is waited out. */
const IMPATIENT = { patience: 5_000 };

const raw = (status: number, body: string) => (response: ServerResponse) => response.writeHead(status).end(body);
const slowBytes = (response: ServerResponse) => {
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
  response.writeHead(200);
};
const NONSENSE: [string, (response: ServerResponse) => void, RegExp][] = [
  ['a page of HTML', raw(200, '<html><body>Welcome</body></html>'), /is not JSON/],
  ['half a JSON', raw(200, '{"prices":{"WETH/USDC":{"bids":[["1"'), /is not JSON/],
  ['nothing', raw(200, ''), /is not JSON/],
  ['a list', raw(200, '[]'), /is malformed: the body/],
  ['null', raw(200, 'null'), /is malformed: the body/],
  ['a wrong type', raw(200, '{"tokens":7,"pairs":7,"prices":7,"blacklist":7}'), /is malformed/],
  ['10 MB of JSON', raw(200, `{"prices":"${'x'.repeat(10 * 2 ** 20)}"}`), /fails: the answer is longer than 8388608/],
  ['100,000 brackets', raw(200, `${'['.repeat(100_000)}${']'.repeat(100_000)}`), /is malformed/],
  ['an error page', raw(502, '<html>Bad Gateway</html>'), /answers 502: without a JSON error text/],
  ['a redirection', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /answers 302/],
  ['silence', () => {}, /fails: no answer within 5 s/],
  ['slow bytes', slowBytes, /fails: no answer within 5 s/],
  ['a cut connection', (response) => response.destroy(), /fails: /],
  [
    'a body that is cut off',
    (response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"prices"');
      setTimeout(() => response.destroy(), 5);
    },
    /fails: /,
  ],
];

describe.each(['strict', 'spec'] as const)('%s', (mode) => {
  test.each(NONSENSE)(
    '%s from /prices is complained of, the maker is off, and on again when it is well',
    async (...row) => {
      const [name, answer, sentence] = row;
      const isWaitedOut = /silence|slow/.test(name);
      const intervals = isWaitedOut ? IMPATIENT : {};
      const { consumer, complaints, untilEnabled, untilDisabled, logged } = consumerOf(maker.url, { mode, intervals });
      await untilEnabled();
      maker.instead.set('/prices', answer);
      await untilDisabled();
      expect(consumer.cached()).toBeNull();
      const status = consumer.status();
      expect(status.why).toMatch(sentence);
      expect(status.endpoints.prices.fault).toMatch(sentence);
      const complaint = complaints().find((one) => one.startsWith('/prices '));
      expect(complaint).toMatch(sentence);
      expect(complaint).toMatch(/^\/prices [^\n]{1,290}$/);
      maker.instead.clear();
      await untilEnabled();
      expect(consumer.status()).toMatchObject({ enabled: true, why: null, endpoints: { prices: { fault: null } } });
      const disabled = logged(/the maker is disabled: \/prices/).length;
      const enabled = logged(/the maker is enabled/).length;
      // A slow machine may also keep a good answer for longer than the impatient wait.
      if (isWaitedOut) {
        expect(disabled).toBeGreaterThanOrEqual(1);
        expect(enabled).toBeGreaterThanOrEqual(2);
      } else expect([disabled, enabled]).toEqual([1, 2]);
    },
  );

  test('nonsense elsewhere is complained of and leaves what was read', async () => {
    const { consumer, complaints, until, untilEnabled } = consumerOf(maker.url, { mode });
    await untilEnabled();
    for (const path of ['/tokens', '/pairs', '/blacklist']) maker.instead.set(path, raw(200, '<html>'));
    await until(() => expect(new Set(complaints()).size).toBe(3));
    expect(complaints().sort()).toEqual(['/blacklist is not JSON', '/pairs is not JSON', '/tokens is not JSON']);
    expect(Object.keys(consumer.cached()?.prices ?? {})).toEqual(['WETH/USDC']);
  });
});

test('a pair without both sides ages out in strict mode and is off at once in spec mode', async () => {
  const slow = { staleAfter: 500 };
  for (const mode of ['strict', 'spec'] as const) {
    maker.entry = PRACTICE_ENTRY;
    const { consumer, until, untilEnabled, complaints, clock } = consumerOf(maker.url, { mode, intervals: slow });
    await untilEnabled();
    let polls = 0;
    maker.instead.set('/prices', (response) => {
      polls += 1;
      response.end(JSON.stringify({ prices: { 'WETH/USDC': {} } }));
    });
    await until(() => expect(polls).toBeGreaterThan(2));
    clock.ahead += 500;
    expect(consumer.cached() === null).toBe(mode === 'spec');
    clock.ahead += 1;
    expect(consumer.cached()).toBeNull();
    maker.instead.clear();
    expect(consumer.status().enabled).toBe(true);
    expect(complaints()).toEqual([]);
    await consumer.close();
  }
  maker.entry = PRACTICE_ENTRY;
});

test('what has to be read first is not there: prices are ignored, without a complaint of them', async () => {
  maker.instead.set('/tokens', { status: 503, body: { error: 'not yet' } });
  const { consumer, complaints, until, untilEnabled } = consumerOf(maker.url);
  await until(() => expect(consumer.status().endpoints.prices.status).toBe(200));
  expect(consumer.cached()).toBeNull();
  await until(() => expect(consumer.status().why).toBe('tokens and pairs were not read yet'));
  maker.instead.clear();
  await untilEnabled();
  expect(complaints()).toEqual([]);
});

test('an error in good form is no complaint', async () => {
  const { consumer, complaints, untilEnabled, untilDisabled, logged } = consumerOf(maker.url);
  await untilEnabled();
  maker.instead.set('/prices', { status: 503, body: { error: 'Trading is stopped.', code: 'halted' } });
  await untilDisabled();
  expect(consumer.status().why).toBe('/prices answers 503: Trading is stopped.');
  expect(consumer.status().endpoints.prices).toMatchObject({ status: 503, fault: 'answers 503: Trading is stopped.' });
  expect(complaints()).toEqual([]);
  expect(logged(/^! service, Test: \/prices answers 503: Trading is stopped\.$/)).toHaveLength(1);
});

test('a message is logged in spec mode at every request', async () => {
  maker.instead.set('/blacklist', { status: 200, body: { blacklist: [], message: 'maintenance\nat noon' } });
  const { complaints, until, logged } = consumerOf(maker.url, { mode: 'spec' });
  await until(() => expect(logged(/says: maintenance at noon$/).length).toBeGreaterThan(2));
  expect(complaints()).toEqual([]);
});

test('five failures, not in a row, rest the polling of an endpoint in strict mode; in spec mode they do not', async () => {
  // A maker of its own: what an earlier consumer still had on its way would be counted.
  const maker = await openStubMaker(NO_CHAIN);
  onTestFinished(() => maker.close());
  const bad = { status: 500, body: { error: 'no' } };
  const rest = { failuresBeforeRest: 5, pricesEvery: 30 };
  let failures = 0;
  const failedAt: number[] = [];
  // Every other answer is well.
  let turn = 0;
  maker.instead.set('/prices', (response) => {
    turn += 1;
    if (turn % 2 === 0) return void response.end(JSON.stringify({ prices: {} }));
    failures += 1;
    failedAt.push(performance.now());
    response.writeHead(bad.status).end(JSON.stringify(bad.body));
  });
  const strict = consumerOf(maker.url, { intervals: rest });
  await strict.until(() => expect(strict.consumer.status().pausedUntil).not.toBeNull());
  expect(failures).toBe(5);
  const until = strict.consumer.status().pausedUntil ?? 0;
  expect(until).toBe(strict.clock.now() + 600);
  expect(strict.consumer.status().endpoints.prices.pausedUntil).toBe(until);
  await strict.until(() => expect(failures).toBe(6));
  expect((failedAt[5] ?? 0) - (failedAt[4] ?? 0)).toBeGreaterThanOrEqual(598);
  expect(strict.consumer.status().pausedUntil).toBeNull();
  await strict.consumer.close();
  failures = 0;
  const spec = consumerOf(maker.url, { intervals: rest, mode: 'spec' });
  await spec.until(() => expect(failures).toBeGreaterThan(6));
  expect(spec.logged(/is not polled for/)).toEqual([]);
});

test('every complaint is counted, the same one kept once, and the last 50 different ones kept', async () => {
  let turn = 0;
  maker.instead.set('/blacklist', (response) => {
    turn += 1;
    response.end(JSON.stringify({ blacklist: [`0x${turn % 80}`], [`key${turn % 80}`]: 1 }));
  });
  const { consumer, until } = consumerOf(maker.url, { intervals: { restEvery: 2 } });
  await until(() => expect(consumer.status().complaints.count).toBeGreaterThan(20));
  const { last } = consumer.status().complaints;
  expect(last).toHaveLength(1);
  expect(last[0]?.times).toBe(consumer.status().complaints.count);
  await consumer.close();
  const spec = consumerOf(maker.url, { mode: 'spec', intervals: { restEvery: 2 } });
  await spec.until(() => expect(spec.consumer.status().complaints.count).toBeGreaterThan(130));
  const kept = spec.consumer.status().complaints.last;
  expect(kept).toHaveLength(50);
  expect(new Set(kept.map(({ sentence }) => sentence)).size).toBe(50);
  expect(kept.every(({ at }, index) => at >= (kept[index - 1]?.at ?? 0))).toBe(true);
});

describe('the channel', () => {
  const first = (socket: WebSocket, change: object = {}) =>
    socket.send(
      JSON.stringify({
        tokens: {},
        pairs: {},
        prices: {},
        blacklist: [],
        ...change,
      }),
    );

  test('that is refused in good form is normal', async () => {
    const { consumer, complaints, until, untilEnabled } = consumerOf(maker.url);
    await untilEnabled();
    await until(() => expect(consumer.status().socket.why).toBe('the handshake is refused with 404: no way'));
    expect(consumer.status().socket.connected).toBe(false);
    expect(complaints()).toEqual([]);
  });

  test.each([
    ['HTML', (socket: WebSocket) => socket.send('<html>'), /^the channel is no JSON object$/],
    [
      'an incomplete object',
      (socket: WebSocket) => socket.send('{"prices":{}}'),
      /is the first one and has no tokens, pairs/,
    ],
    ['nothing', () => {}, /^the channel sends no first message within 5 s$/],
    [
      '10 MB',
      (socket: WebSocket) => socket.send('x'.repeat(10 * 2 ** 20)),
      /^the channel breaks the protocol: Max payload/,
    ],
    [
      'a broken frame',
      (socket: WebSocket) => void rawSocket(socket).write(Buffer.from([0xff, 0xff, 0xff])),
      /breaks the protocol/,
    ],
  ])('that begins with %s is complained of, ended and tried again', async (_, begin, sentence) => {
    let connections = 0;
    maker.channel = (socket) => {
      connections += 1;
      begin(socket);
    };
    const { complaints, until, untilEnabled } = consumerOf(maker.url, { intervals: IMPATIENT });
    await untilEnabled();
    await until(() => expect(complaints()).toContainEqual(expect.stringMatching(sentence)));
    await until(() => expect(connections).toBeGreaterThan(1));
  });

  test('goes on after an update of nonsense, and says what was wrong', async () => {
    maker.channel = (socket) => {
      first(socket);
      for (const text of ['null', '{"prices":[]}', '{"order":{}}', '{"message":"hello\\u0007"}', '{"blacklist":"x"}']) {
        socket.send(text);
      }
    };
    const { consumer, complaints, until, logged } = consumerOf(maker.url);
    await until(() => expect(logged(/the channel says: hello $/)).toHaveLength(1));
    await until(() => expect(complaints().length).toBeGreaterThanOrEqual(4));
    expect(consumer.status().socket).toMatchObject({ connected: true, messages: 5 });
    for (const complaint of complaints()) expect(complaint).toMatch(/^the channel's message /);
  });

  test('tells what no poll has told: after /prices falls silent, the updates alone keep the cache', async () => {
    const grid = await readGrid(maker);
    let channel: WebSocket | undefined;
    maker.channel = (socket) => {
      channel = socket;
      first(socket, grid);
    };
    const slow = { patience: 60_000, staleAfter: 60_000, restEvery: 60_000 };
    const { consumer, complaints, until, untilEnabled, clock } = consumerOf(maker.url, { intervals: slow });
    await untilEnabled();
    await until(() => expect(consumer.status().socket.messages).toBe(1));
    let silent = 0;
    maker.instead.set('/prices', () => {
      silent += 1;
    });
    const at = consumer.status().endpoints.prices.at ?? 0;
    await until(() => expect(silent).toBe(1));
    clock.ahead += 100;
    const asks = [['3500', '1']];
    channel?.send(JSON.stringify({ prices: { 'WETH/USDC': { bids: [], asks } } }));
    await until(() => expect(consumer.cached()?.prices['WETH/USDC']).toEqual({ bids: [], asks }));
    const user = `0x${'dd'.repeat(20)}` as const;
    channel?.send(JSON.stringify({ blacklist: [user] }));
    await until(() => expect(consumer.cached()?.blacklist.has(user)).toBe(true));
    channel?.send('{"prices":{"WETH/USDC":{}}}');
    await until(() => expect(consumer.cached()).toBeNull());
    expect(consumer.status().endpoints.prices.at).toBeLessThan(at + 100);
    expect(complaints()).toEqual([]);
  });

  test('is connected again after it was closed, later each time nothing came of it', async () => {
    const times: number[] = [];
    maker.channel = (socket) => {
      times.push(performance.now());
      socket.close(1001, 'Trading is stopped.');
    };
    const { consumer, complaints, until } = consumerOf(maker.url, {
      intervals: { reconnectFirst: 30, reconnectLast: 120 },
    });
    await until(() => expect(times.length).toBeGreaterThanOrEqual(5));
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps[0]).toBeGreaterThanOrEqual(28);
    expect(gaps[1]).toBeGreaterThanOrEqual(58);
    expect(gaps[3]).toBeGreaterThanOrEqual(118);
    await until(() => expect(consumer.status().socket.why).toBe('closed with 1001 Trading is stopped.'));
    expect(complaints()).toEqual([]);
  });
});

test('a port that speaks something else is complained of on every path and crashes nothing', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end('220 mail.example ESMTP\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { consumer, complaints, until } = consumerOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await until(() => expect(complaints().length).toBeGreaterThanOrEqual(4));
  expect(consumer.status().enabled).toBe(false);
  await consumer.close();
  server.close();
});

/** All that the stub serves, as one object. */
async function readGrid({ url }: StubMaker): Promise<object> {
  const parts = await Promise.all(
    ['tokens', 'pairs', 'prices', 'blacklist'].map(async (part) => (await fetch(`${url}/31337/${part}`)).json()),
  );
  return Object.assign({}, ...parts);
}

/** The socket below a WebSocket, to write what no WebSocket would. */
function rawSocket(socket: WebSocket): { write(bytes: Buffer): void } {
  return (socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket;
}
