import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Counterparty, signRequest } from '../../electron/protocol/hmac.ts';
import { CHAIN } from '../book/fixture.ts';
import {
  type DeskChanges,
  ETHER,
  newFolder,
  type OpenDesk,
  openDesk,
  person,
  quotes,
  request,
  seen,
} from '../quoting/open-desk.ts';
import { call } from '../surface/http-client.ts';
import { ACCESS_KEY, SECRET, surfaceOf } from '../surface/open-surface.ts';

const PATH = `/${CHAIN}/firm`;
const OTHER = '/other';
const HOUR_MS = 3_600_000;

/** A desk behind its real surface; `again` is reached under another base path, as another chain of it would be. */
async function behindSurface(changes: DeskChanges & { counterparty?: Partial<Counterparty>; again?: number } = {}) {
  const desk = await openDesk(changes);
  await desk.quoter.readBack(desk.journal);
  const counterparty: Counterparty = {
    accessKey: ACCESS_KEY,
    secretKey: SECRET,
    signedPath: 'full',
    ...changes.counterparty,
  };
  const counterparties = new Map(['one', 'two'].map((domain) => [domain, counterparty]));
  const chain = (basePath: string, chainId: number) => ({
    chainId,
    basePath,
    feedMaxAgeSeconds: 0,
    served: () => desk.quoter.served(chainId),
    firm: desk.quoter.firm.bind(desk.quoter),
  });
  const { port } = await surfaceOf([], {
    chains: () => [chain(`/${CHAIN}`, CHAIN), chain(OTHER, changes.again ?? CHAIN + 1)],
    counterparties: () => counterparties,
    now: desk.now,
    monotonic: () => desk.clock.ahead,
  });
  return { desk, port };
}

/** A signed request, ready to be sent as often as somebody likes. */
function signed({ now }: OpenDesk, { behindMs = 0, body = JSON.stringify(request()), path = PATH } = {}) {
  const timestamp = String(now() - behindMs);
  const signature = signRequest({ secretKey: SECRET, timestamp, method: 'POST', path, body });
  const headers = {
    'X-AUTH-DOMAIN': 'one',
    'X-AUTH-ACCESS-KEY': ACCESS_KEY,
    'X-AUTH-TIMESTAMP': timestamp,
    'X-AUTH-SIGNATURE': signature,
  };
  return { body, headers };
}

type Sent = ReturnType<typeof signed>;

async function send(port: number, { body, headers }: Sent, path = PATH) {
  const { status, json } = await call(port, 'POST', path, { body, headers });
  const { order, code } = json as { order?: { nonceAndMeta: string }; code?: string };
  return { status, order, code };
}

const signedOrders = async (desk: OpenDesk) => (await quotes(desk)).filter(({ orderHash }) => orderHash !== null);

describe('A request for a firm quote that is sent again as it was signed', () => {
  it('gives one order, however often and however much at once it comes', async () => {
    const { desk, port } = await behindSurface();
    const sent = signed(desk);
    const answers = [...(await Promise.all([1, 2, 3].map(() => send(port, sent)))), await send(port, sent)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ order }) => order?.nonceAndMeta)).size).toBe(1);
    expect(await signedOrders(desk)).toHaveLength(1);
    expect(desk.guard.orders.of(CHAIN).exposure.live(`${request()['makerAsset']}` as `0x${string}`)).toBe(ETHER / 10n);
  });

  it('is refused with 401 once its order has less than 120 s to live', async () => {
    const { desk, port } = await behindSurface();
    const sent = signed(desk, { behindMs: -29_000 });
    expect((await send(port, sent)).status).toBe(200);
    desk.clock.ahead += 18_000;
    expect((await send(port, sent)).status).toBe(200);
    desk.clock.ahead += 14_000;
    expect(await send(port, sent)).toMatchObject({ status: 401, code: 'replayed' });
    expect(await signedOrders(desk)).toHaveLength(1);
  });

  it('is refused with 401 once a stop has come since, also when trading goes on', async () => {
    const { desk, port } = await behindSurface();
    const sent = signed(desk);
    expect((await send(port, sent)).status).toBe(200);
    await desk.guard.trading.halt({}, person);
    expect(await send(port, sent)).toMatchObject({ status: 401, code: 'replayed' });
    await desk.guard.trading.resume({}, person);
    expect(await send(port, sent)).toMatchObject({ status: 401, code: 'replayed' });
    expect((await send(port, signed(desk, { behindMs: 1 }))).status).toBe(200);
  });

  it('is refused with 401 after a restart, until its timestamp is refused by itself', async () => {
    const folder = newFolder();
    const before = await behindSurface({ folder });
    const sent = signed(before.desk, { behindMs: -29_000 });
    expect((await send(before.port, sent)).status).toBe(200);
    await before.desk.close();
    const { desk, port } = await behindSurface({ folder });
    expect(await send(port, sent)).toMatchObject({ status: 401, code: 'replayed' });
    desk.clock.ahead += 45_000;
    expect(await send(port, sent)).toMatchObject({ status: 401, code: 'replayed' });
    desk.clock.ahead += 15_000;
    expect(await send(port, sent)).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await signedOrders(desk)).toHaveLength(1);
  });

  it('is refused with 401 after a restart by a clock that is an hour ahead and then set right', async () => {
    const folder = newFolder();
    const before = await behindSurface({ folder });
    const sent = signed(before.desk);
    expect((await send(before.port, sent)).status).toBe(200);
    await before.desk.close();
    const { desk, port } = await behindSurface({ folder, ahead: HOUR_MS });
    desk.clock.ahead = 0;
    desk.chain.view = seen(desk.now());
    expect(await send(port, sent)).toMatchObject({ status: 401, code: 'replayed' });
    expect(await signedOrders(desk)).toHaveLength(1);
  });

  it('is refused with 401 after a restart, also where the clock was an hour behind for a while since', async () => {
    const folder = newFolder();
    const before = await behindSurface({ folder });
    const sent = signed(before.desk);
    expect((await send(before.port, sent)).status).toBe(200);
    for (const ahead of [-HOUR_MS, 0]) {
      before.desk.clock.ahead = ahead;
      const refused = signed(before.desk, { body: JSON.stringify(request({ makerAsset: `0x${'77'.repeat(20)}` })) });
      expect((await send(before.port, refused)).order).toBeUndefined();
    }
    await before.desk.close();
    const { desk, port } = await behindSurface({ folder });
    expect(await send(port, sent)).toMatchObject({ status: 401, code: 'replayed' });
    expect(await signedOrders(desk)).toHaveLength(1);
  });

  it('is refused with 401 by a desk that stood still while a halt took its armed file away', async () => {
    const { desk, port } = await behindSurface({ quoter: { after: () => () => {} } });
    const sent = signed(desk);
    expect((await send(port, sent)).status).toBe(200);
    rmSync(join(desk.folder, 'armed'));
    desk.clock.ahead += 4_000;
    expect(await send(port, sent)).toMatchObject({ status: 401, code: 'replayed' });
    expect(desk.guard.status().state).toBe('HALTED');
  });

  it('is judged by the time at which all of it is there, however slowly its body comes', async () => {
    const { desk, port } = await behindSurface();
    const sent = signed(desk, { behindMs: 29_000 });
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const answer = text(socket);
    const lines = Object.entries({ ...sent.headers, Host: 'localhost', 'Content-Length': sent.body.length });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`POST ${PATH} HTTP/1.1\r\nConnection: close\r\n${head}\r\n`);
    // The second request is answered by the same loop, so that the head of the first was read by then.
    expect((await send(port, signed(desk))).status).toBe(200);
    desk.clock.ahead += 2_000;
    socket.write(sent.body);
    expect(await answer).toMatch(/^HTTP\/1\.1 401 .*X-AUTH-TIMESTAMP is 31 s behind/s);
  });

  it('gives no order to another domain with the same key, in other letters, or on another chain', async () => {
    const { desk, port } = await behindSurface({ counterparty: { signedPath: 'without-prefix' } });
    const sent = signed(desk, { path: '/firm' });
    const first = await send(port, sent);
    expect(first.status).toBe(200);
    const upper = { ...sent.headers, 'X-AUTH-SIGNATURE': sent.headers['X-AUTH-SIGNATURE'].toUpperCase() };
    const domain = { ...sent.headers, 'X-AUTH-DOMAIN': 'two' };
    expect((await send(port, { ...sent, headers: upper })).order).toEqual(first.order);
    expect((await send(port, { ...sent, headers: domain })).order).toEqual(first.order);
    expect(await send(port, sent, `${OTHER}/firm`)).toMatchObject({ status: 401, code: 'replayed' });
    expect(await signedOrders(desk)).toHaveLength(1);
  });

  it('is judged anew as long as it was only refused', async () => {
    const { desk, port } = await behindSurface({ live: false });
    const sent = signed(desk);
    expect((await send(port, sent)).code).toBe('halted');
    await desk.guard.trading.resume({}, person);
    expect((await send(port, sent)).status).toBe(200);
    expect(await signedOrders(desk)).toHaveLength(1);
  });

  it('is refused with 401 when its order was withheld', async () => {
    let fail = () => {};
    const { desk, port } = await behindSurface({
      journal: (journal) =>
        ({
          ...journal,
          read: journal.read,
          onFailure: journal.onFailure.bind(journal),
          onAppended: journal.onAppended.bind(journal),
          put: journal.put.bind(journal),
          append: async (event) => {
            const seq = await journal.append(event);
            if (event.kind === 'quote') fail();
            return seq;
          },
        }) as typeof journal,
    });
    fail = () => void desk.guard.trading.halt({}, person);
    const sent = signed(desk);
    expect((await send(port, sent)).order).toBeUndefined();
    fail = () => {};
    await desk.guard.trading.resume({}, person);
    expect(await send(port, sent)).toMatchObject({ status: 401, code: 'replayed' });
  });

  it('gives another order each time where the counterparty is set so', async () => {
    const { desk, port } = await behindSurface({ counterparty: { oneOrderPerSignature: false } });
    const sent = signed(desk);
    const answers = [await send(port, sent), await send(port, sent)];
    expect(new Set(answers.map(({ order }) => order?.nonceAndMeta)).size).toBe(2);
    expect(await signedOrders(desk)).toHaveLength(2);
  });

  it('does not keep polls from being sent again', async () => {
    const { desk, port } = await behindSurface();
    const timestamp = String(Date.now());
    const path = `/${CHAIN}/prices`;
    const headers = { 'X-AUTH-DOMAIN': 'one', 'X-AUTH-ACCESS-KEY': ACCESS_KEY, 'X-AUTH-TIMESTAMP': timestamp };
    const signature = signRequest({ secretKey: SECRET, timestamp, method: 'GET', path, body: '' });
    for (const _ of [1, 2, 3]) {
      const { status } = await call(port, 'GET', path, { headers: { ...headers, 'X-AUTH-SIGNATURE': signature } });
      expect(status).toBe(200);
    }
    onTestFinished(() => desk.close());
  });
});
