import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { aGrid, FakeChain } from './fake-chain.ts';
import { call, signatureHeaders } from './http-client.ts';
import { ACCESS_KEY, COUNTERPARTIES, SECRET, surfaceOf } from './open-surface.ts';

const signing = { counterparties: () => COUNTERPARTIES };
const PRICES = '/31337/prices';

describe('authentication of requests', () => {
  it('accepts every endpoint when properly signed, and says who it was and how far the clocks are apart', async () => {
    const { port, beats, chain } = await surfaceOf(undefined, signing);
    const before = Date.now();
    for (const key of ['tokens', 'pairs', 'prices', 'blacklist']) {
      const path = `/31337/${key}`;
      expect((await call(port, 'GET', path, { headers: signatureHeaders('GET', path) })).status).toBe(200);
    }
    const body = ' {\n"makerAmount": "5" }\n';
    const headers = signatureHeaders('POST', '/31337/firm', body);
    expect((await call(port, 'POST', '/31337/firm', { body, headers })).status).toBe(200);
    expect(chain.firmRequests[0]?.counterparty).toBe('desk.example');
    for (const beat of beats) {
      expect(beat).toMatchObject({ by: 'desk.example', status: 200 });
      // Both have one clock: no further apart than all of it took.
      expect(Math.abs(beat.skewMs ?? 1e9)).toBeLessThanOrEqual(Date.now() - before);
    }
  });

  it('takes the query as part of what was signed', async () => {
    const { port } = await surfaceOf(undefined, signing);
    const whole = signatureHeaders('GET', `${PRICES}?x=1`);
    expect((await call(port, 'GET', `${PRICES}?x=1`, { headers: whole })).status).toBe(200);
    const without = signatureHeaders('GET', PRICES);
    expect((await call(port, 'GET', `${PRICES}?x=1`, { headers: without })).status).toBe(401);
  });

  it('leaves the base path of the very chain out where that was agreed', async () => {
    const chains = [new FakeChain(11, '/10/deep'), new FakeChain(10, '/10'), new FakeChain(1, '')];
    const { port } = await surfaceOf(chains, signing);
    const status = async (path: string, signedPath: string) => {
      const headers = signatureHeaders('GET', path, '', 'short.example', signedPath);
      return (await call(port, 'GET', path, { headers })).status;
    };
    expect(await status('/prices', '/prices')).toBe(200);
    expect(await status('/10/prices', '/prices')).toBe(200);
    expect(await status('/10/prices?x=1', '/prices?x=1')).toBe(200);
    expect(await status('/10/deep/prices', '/prices')).toBe(200);
    expect(await status('/10/prices', '/10/prices')).toBe(401);
    expect(await status('/10/nowhere', '/nowhere')).toBe(404);
    expect(await status('/10/deep/nowhere', '/nowhere')).toBe(404);
  });

  it('refuses with a JSON error that can be debugged and gives nothing away', async () => {
    const { port, chain, beats } = await surfaceOf(undefined, signing);
    const good = signatureHeaders('GET', PRICES);
    const bad: [OutgoingHttpHeaders, string][] = [
      [{}, 'X-AUTH-DOMAIN is missing or empty.'],
      [{ ...good, 'X-AUTH-DOMAIN': '__proto__' }, 'X-AUTH-DOMAIN names no domain'],
      [{ ...good, 'X-AUTH-ACCESS-KEY': `${ACCESS_KEY}x` }, 'X-AUTH-ACCESS-KEY is not the access key'],
      [{ ...good, 'X-AUTH-TIMESTAMP': '5' }, 's behind our clock'],
      [{ ...good, 'X-AUTH-SIGNATURE': 'a'.repeat(64) }, 'X-AUTH-SIGNATURE does not match'],
      [{ ...good, 'X-AUTH-SIGNATURE': [good['X-AUTH-SIGNATURE'], good['X-AUTH-SIGNATURE']] }, 'X-AUTH-SIGNATURE'],
      [signatureHeaders('POST', PRICES), 'X-AUTH-SIGNATURE does not match'],
      [signatureHeaders('GET', '/31337/tokens'), 'X-AUTH-SIGNATURE does not match'],
    ];
    for (const [headers, sentence] of bad) {
      const reply = await call(port, 'GET', PRICES, { headers });
      expect(reply.status).toBe(401);
      expect(reply.json).toMatchObject({ code: 'unauthorized', error: expect.stringContaining(sentence) });
      for (const secret of [SECRET, ACCESS_KEY, good['X-AUTH-SIGNATURE']]) expect(reply.text).not.toContain(secret);
    }
    expect(beats.every(({ by, status, skewMs }) => by === null && status === 401 && skewMs === null)).toBe(true);
    await call(port, 'POST', '/31337/firm', {
      body: '{}',
      headers: signatureHeaders('POST', '/31337/firm', '{"a":1}'),
    });
    expect(chain.firmRequests).toEqual([]);
  });

  it('is judged first: in a closed chain, on unknown paths, with wrong methods', async () => {
    const { port, chain } = await surfaceOf(undefined, signing);
    chain.grid = aGrid({ closed: 'halted' });
    for (const [method, path] of [
      ['GET', PRICES],
      ['GET', '/nowhere'],
      ['DELETE', PRICES],
    ] as const) {
      expect((await call(port, method, path)).status).toBe(401);
    }
    expect((await call(port, 'GET', PRICES, { headers: signatureHeaders('GET', PRICES) })).status).toBe(503);
    expect((await call(port, 'GET', '/nowhere', { headers: signatureHeaders('GET', '/nowhere') })).status).toBe(404);
    const wrong = signatureHeaders('PUT', PRICES, '{}');
    expect((await call(port, 'PUT', PRICES, { body: '{}', headers: wrong })).status).toBe(405);
  });

  it('follows the counterparties as they are configured now', async () => {
    let counterparties = new Map(COUNTERPARTIES);
    const { port } = await surfaceOf(undefined, { counterparties: () => counterparties });
    const headers = signatureHeaders('GET', PRICES);
    expect((await call(port, 'GET', PRICES, { headers })).status).toBe(200);
    counterparties = new Map([...COUNTERPARTIES].slice(1));
    expect((await call(port, 'GET', PRICES, { headers })).status).toBe(401);
  });

  it('is not waived on a host that others can reach when the last counterparty goes', async () => {
    let counterparties = new Map(COUNTERPARTIES);
    const { port } = await surfaceOf(undefined, { host: '0.0.0.0', counterparties: () => counterparties });
    counterparties = new Map();
    expect((await call(port, 'GET', PRICES)).status).toBe(401);
  });

  it('covers the WebSocket handshake: GET, the path without a query, no body', async () => {
    const { port, surface, beats } = await surfaceOf(undefined, signing);
    const open = new WebSocket(`ws://127.0.0.1:${port}/31337/ws?x=1`, {
      headers: signatureHeaders('GET', '/31337/ws'),
    });
    await once(open, 'open');
    expect(surface.webSockets(31337)).toBe(1);
    open.terminate();
    const refused = new WebSocket(`ws://127.0.0.1:${port}/31337/ws`, { headers: signatureHeaders('GET', PRICES) });
    refused.on('error', () => {});
    const [request, response] = await once(refused, 'unexpected-response');
    expect([response.statusCode, response.headers['content-type']]).toEqual([401, 'application/json']);
    request.destroy();
    expect(beats.map(({ endpoint, status }) => [endpoint, status])).toEqual([
      ['ws', 101],
      ['ws', 401],
    ]);
  });
});
