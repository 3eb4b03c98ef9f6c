import { describe, expect, it } from 'vitest';
import { FakeChain } from './fake-chain.ts';
import { bodyOf, call, raw } from './http-client.ts';
import { COUNTERPARTIES, surfaceOf } from './open-surface.ts';

const anError = { error: expect.stringMatching(/.{10}/), code: expect.stringMatching(/^[a-z_]+$/) };

describe('a request that is not right', () => {
  it.each([
    '/',
    '/31337',
    '/31337/',
    '/31337/nowhere',
    '/31337/prices/',
    '/31337/prices/x',
    '/31337//prices',
    '/prices',
    '/313370/prices',
    '/__proto__',
    '/31337/__proto__',
    '/constructor',
    '/%E0%A4%A',
    '/31337/%70rices',
    '/31337/PRICES',
    '*',
    'http://x/31337/prices',
  ])('gets 404 as JSON at the path %s', async (path) => {
    const { port } = await surfaceOf();
    const answer = await raw(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 404 [\s\S]*content-type: application\/json/i);
    expect(bodyOf(answer)).toEqual({ ...anError, code: 'not_found' });
  });

  it.each([
    ['POST', 'tokens'],
    ['PUT', 'prices'],
    ['DELETE', 'blacklist'],
    ['PATCH', 'firm'],
    ['GET', 'firm'],
    ['OPTIONS', 'pairs'],
    ['GET', 'ws'],
  ])('gets 405 as JSON for %s /%s', async (method, endpoint) => {
    const { port, chain } = await surfaceOf();
    const reply = await call(port, method, `/31337/${endpoint}`, method === 'GET' ? {} : { body: '{}' });
    expect([reply.status, reply.json]).toEqual([405, { ...anError, code: 'method_not_allowed' }]);
    expect(chain.firmRequests).toEqual([]);
  });

  it.each([
    ['a length', {}],
    ['chunks', { 'Transfer-Encoding': 'chunked' }],
    ['an Expect header', { Expect: '100-continue' }],
  ])('gets 413 for a large body sent with %s, before authentication, and can read it', async (_how, headers) => {
    const { port, chain } = await surfaceOf(undefined, { counterparties: () => COUNTERPARTIES });
    for (const size of [64 * 1024 + 1, 2 ** 20, 20 * 2 ** 20]) {
      const reply = await call(port, 'POST', '/31337/firm', { body: Buffer.alloc(size), headers });
      expect([reply.status, reply.json]).toEqual([413, { ...anError, code: 'body_too_large' }]);
    }
    expect(chain.firmRequests).toEqual([]);
  });

  it('may expect to be told to continue', async () => {
    const { port, chain } = await surfaceOf();
    expect((await call(port, 'POST', '/31337/firm', { body: '{}', headers: { Expect: '100-continue' } })).status).toBe(
      200,
    );
    expect(chain.firmRequests).toHaveLength(1);
    const odd = await call(port, 'POST', '/31337/firm', { body: '{}', headers: { Expect: 'the unexpected' } });
    expect([odd.status, odd.json]).toEqual([400, { ...anError, code: 'invalid_request' }]);
  });

  it.each([
    ['no HTTP at all', 'hello there\r\n\r\n', 400],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['an unknown method', 'FETCH /31337/prices HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['a blank in a header name', 'GET /31337/prices HTTP/1.1\r\nHo st: x\r\n\r\n', 400],
    [
      'two lengths',
      'POST /31337/firm HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
    ],
    [
      'length and chunks',
      'POST /31337/firm HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a broken chunk', 'POST /31337/firm HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['huge headers', `GET /31337/prices HTTP/1.1\r\nHost: localhost\r\nX-Pad: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ])('gets JSON when it is broken HTTP: %s', async (_name, bytes, status) => {
    const { port, chain } = await surfaceOf();
    const answer = await raw(port, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*content-type: application/json`, 'i'));
    expect(bodyOf(answer)).toEqual({ ...anError, code: 'invalid_request' });
    expect(chain.firmRequests).toEqual([]);
    expect((await call(port, 'GET', '/31337/prices')).status).toBe(200);
  });

  it('gets JSON for CONNECT, and without a Host header what it asked for', async () => {
    const { port } = await surfaceOf();
    const connect = await raw(port, 'CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(bodyOf(connect)).toEqual({ ...anError, code: 'method_not_allowed' });
    const bare = await raw(port, 'GET /31337/prices HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(bodyOf(bare)).toMatchObject({ prices: {} });
  });

  it('gets its plain answer when it asks for an upgrade that is not a WebSocket', async () => {
    const { port, chain } = await surfaceOf();
    const upgrade = 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    const answer = await raw(port, `GET /31337/prices HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(bodyOf(answer)).toMatchObject({ prices: {} });
    const order = `POST /31337/firm HTTP/1.1\r\nHost: localhost\r\n${upgrade}Content-Length: 9\r\n\r\n{"a":"b"}`;
    expect(await raw(port, order)).toMatch(/^HTTP\/1.1 200 /);
    expect(chain.firmRequests.map(({ body }) => body.toString())).toEqual(['{"a":"b"}']);
  });

  it('is answered once when it says that it is the last one and more follows', async () => {
    const { port } = await surfaceOf();
    const answer = await raw(port, 'GET /31337/prices HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n{}');
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  it('does not spoil the next one on the same connection', async () => {
    const { port } = await surfaceOf([new FakeChain(1, '')]);
    const request = (line: string, more = '', body = '') => `${line} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n${body}`;
    const large = 'x'.repeat(70_000);
    const answer = await raw(
      port,
      request('GET /nowhere'),
      request('POST /firm', `Content-Length: ${large.length}\r\n`, large),
      request('POST /tokens', 'Content-Length: 2\r\n', '{}'),
      request('GET /blacklist', 'Connection: close\r\n'),
    );
    const statuses = [...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(['404', '413', '405', '200']);
  });
});
