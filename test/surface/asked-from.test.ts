import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { WebSocket } from 'ws';
import { checkForm } from '../../electron/book/checked.ts';
import { networksSchema } from '../../electron/contract/desk-file.ts';
import type { Counterparty } from '../../electron/protocol/hmac.ts';
import { askedFrom, Networks } from '../../electron/surface/asked-from.ts';
import type { FromElsewhere } from '../../electron/surface/surface-context.ts';
import { aGrid } from './fake-chain.ts';
import { call, signatureHeaders } from './http-client.ts';
import { COUNTERPARTIES, surfaceOf } from './open-surface.ts';

const PRICES = '/31337/prices';

/** A surface with one counterparty that may ask from these places only. */
async function allowing(limits: Pick<Counterparty, 'addresses' | 'proxies'>) {
  const [known] = COUNTERPARTIES.values();
  if (known === undefined) throw new Error('the fixture has a counterparty');
  const elsewhere: FromElsewhere[] = [];
  const parties = new Map([['desk.example', { ...known, ...limits }]]);
  const opened = await surfaceOf(undefined, {
    counterparties: () => parties,
    onElsewhere: (refused) => elsewhere.push(refused),
  });
  const ask = async (more: Record<string, string> = {}) => {
    const headers = { ...signatureHeaders('GET', PRICES), ...more };
    return await call(opened.port, 'GET', PRICES, { headers });
  };
  return { ...opened, elsewhere, ask };
}

describe('where a counterparty may ask from', () => {
  it('lets through what is on its list, by address or network, and refuses the rest with 401 and a code, firm requests too', async () => {
    const { ask: askHere } = await allowing({ addresses: ['10.0.0.0/8', '127.0.0.1'] });
    expect((await askHere()).status).toBe(200);
    const { ask, port, chain, beats, elsewhere } = await allowing({ addresses: ['10.0.0.0/8', '127.0.0.2', '::1'] });
    const refused = await ask();
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.text)).toEqual({
      error: 'desk.example may not ask from 127.0.0.1.',
      code: 'address_not_allowed',
    });
    const body = '{}';
    const headers = signatureHeaders('POST', '/31337/firm', body);
    expect((await call(port, 'POST', '/31337/firm', { body, headers })).status).toBe(401);
    expect(chain.firmRequests).toEqual([]);
    expect(beats.map(({ by, status }) => [by, status])).toEqual([
      [null, 401],
      [null, 401],
    ]);
    expect(elsewhere).toMatchObject([
      { domain: 'desk.example', address: '127.0.0.1' },
      { domain: 'desk.example', address: '127.0.0.1' },
    ]);
  });

  it('refuses a WebSocket before the upgrade in the same way', async () => {
    const { port, elsewhere, chain } = await allowing({ addresses: ['10.0.0.0/8'] });
    chain.grid = aGrid();
    const path = '/31337/ws';
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: signatureHeaders('GET', path) });
    socket.on('error', () => {});
    const [, response] = await once(socket, 'unexpected-response');
    expect(response.statusCode).toBe(401);
    expect(elsewhere).toHaveLength(1);
    socket.terminate();
  });

  it('tells nobody without the keys from where it may be asked, and does not count them', async () => {
    const { ask, elsewhere } = await allowing({ addresses: ['10.0.0.0/8'] });
    const refused = await ask({ 'X-AUTH-SIGNATURE': 'f'.repeat(64) });
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('"code":"unauthorized"');
    expect(elsewhere).toEqual([]);
  });

  it('believes X-Forwarded-For of its own proxies alone', async () => {
    const through = { 'X-Forwarded-For': '203.0.113.7' };
    const stranger = await allowing({ addresses: ['203.0.113.0/24'] });
    expect((await stranger.ask(through)).status).toBe(401);
    const behind = await allowing({ addresses: ['203.0.113.0/24'], proxies: ['127.0.0.0/8'] });
    expect((await behind.ask(through)).status).toBe(200);
    expect((await behind.ask({ 'X-Forwarded-For': '203.0.113.7, 198.51.100.1' })).status).toBe(401);
    expect((await behind.ask({ 'X-Forwarded-For': '198.51.100.1, 203.0.113.7' })).status).toBe(200);
    expect((await behind.ask({ 'X-Forwarded-For': 'unknown' })).status).toBe(401);
    expect((await behind.ask()).status).toBe(401);
    expect(behind.elsewhere.map(({ address }) => address)).toEqual(['198.51.100.1', null, '127.0.0.1']);
  });
});

test.for<[entries: string[], address: string, isIn: boolean]>([
  [['203.0.113.0/24'], '203.0.113.255', true],
  [['203.0.113.0/24'], '203.0.114.0', false],
  [['203.0.113.77/24'], '203.0.113.1', true], // bits below the mask do not count
  [['0.0.0.0/0'], '198.51.100.1', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['2001:db8::/32'], '2001:db8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['2001:DB8::1'], '2001:db8:0:0:0:0:0:1', true],
  [['::/0'], '2001:db8::1', true],
])('%j: %s is in it: %s', ([entries, address, isIn]) => {
  expect(checkForm(networksSchema, entries).faults).toBeNull();
  expect(new Networks(entries).has(address)).toBe(isIn);
});

test.for([
  '203.0.113.0/33',
  '203.0.113',
  'example.com',
  '2001:db8::/129',
  '10.0.0.0/',
  '10.0.0.1/8/8',
  '',
  ' 10.0.0.1',
])('“%s” is no network', (entry) => {
  expect(networksSchema.safeParse([entry]).success).toBe(false);
});

test('an IPv4 address that comes over a socket of IPv6 is that IPv4 address', () => {
  expect(askedFrom('::ffff:203.0.113.7', undefined, null)).toBe('203.0.113.7');
  expect(askedFrom(undefined, undefined, null)).toBeNull();
  expect(askedFrom('127.0.0.1', ' 203.0.113.7 ,127.0.0.1', new Networks(['127.0.0.1']))).toBe('203.0.113.7');
  expect(askedFrom('127.0.0.1', '127.0.0.1', new Networks(['127.0.0.1']))).toBe('127.0.0.1');
});

test('an IPv4 address is in a network exactly when its first bits are the network’s, whatever the numbers', () => {
  const number = fc.nat({ max: 2 ** 32 - 1 });
  const written = (bits: number) => [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.');
  fc.assert(
    fc.property(number, number, fc.integer({ min: 0, max: 32 }), (network, other, bits) => {
      const near = Math.floor(network / 2 ** (32 - bits)) * 2 ** (32 - bits) + (other % 2 ** (32 - bits));
      for (const address of [other, near]) {
        const isIn = Math.floor(address / 2 ** (32 - bits)) === Math.floor(network / 2 ** (32 - bits));
        expect(isIPv4(written(address))).toBe(true);
        expect(new Networks([`${written(network)}/${bits}`]).has(written(address))).toBe(isIn);
      }
    }),
  );
});

test('nothing that a caller writes into X-Forwarded-For before the address of a proxy’s other side changes what is taken', () => {
  const proxies = new Networks(['127.0.0.1']);
  fc.assert(
    fc.property(fc.string(), (written) => {
      expect(askedFrom('127.0.0.1', `${written},198.51.100.1`, proxies)).toBe('198.51.100.1');
      expect(askedFrom('198.51.100.1', written, proxies)).toBe('198.51.100.1');
    }),
  );
});
