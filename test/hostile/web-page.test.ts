import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { call, signatureHeaders } from '../surface/http-client.ts';
import { COUNTERPARTIES, surfaceOf } from '../surface/open-surface.ts';

const FIRM = '/31337/firm';

describe('a page of the web, at a surface that nobody has to sign for', () => {
  it('gets no quote by a name of its own that it has made point here', async () => {
    const { port, chain } = await surfaceOf();
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      'evil.localhost',
      'evil127.0.0.1',
      '[',
    ]) {
      const asked = await call(port, 'POST', FIRM, { body: '{}', headers: { Host: host } });
      expect([host, asked.status, asked.json]).toMatchObject([host, 421, { code: 'misdirected' }]);
      expect((await call(port, 'GET', '/31337/prices', { headers: { Host: host } })).status).toBe(421);
    }
    expect(chain.firmRequests).toEqual([]);
  });

  it('gets no quote from another origin, a page of this machine included', async () => {
    const { port, chain } = await surfaceOf();
    for (const origin of ['https://evil.example', 'null', `http://127.0.0.1:${port + 1}`, 'http://localhost', 'x']) {
      const asked = await call(port, 'POST', FIRM, { body: '{}', headers: { Origin: origin } });
      expect([origin, asked.status, asked.json]).toMatchObject([origin, 400, { code: 'invalid_request' }]);
    }
    expect(chain.firmRequests).toEqual([]);
  });

  it('gets no quote with what a form can send', async () => {
    const { port, chain } = await surfaceOf();
    const types = [
      'text/plain',
      'TEXT/Plain; charset=utf-8',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ];
    for (const type of types) {
      const asked = await call(port, 'POST', FIRM, { body: '{}', headers: { 'Content-Type': type } });
      expect([type, asked.status, asked.json]).toMatchObject([type, 400, { code: 'invalid_request' }]);
    }
    expect(chain.firmRequests).toEqual([]);
  });

  it('gets no feed', async () => {
    const { port, surface } = await surfaceOf();
    for (const headers of [{ Host: 'evil.example' }, { Origin: 'https://evil.example' }]) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/31337/ws`, { headers });
      const status = await new Promise((resolve) => {
        socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode));
        socket.on('open', () => resolve('open'));
      });
      expect(status).toBe(headers.Host === undefined ? 400 : 421);
      socket.on('error', () => {});
      socket.terminate();
    }
    expect(surface.webSockets(31337)).toBe(0);
  });
});

describe('whoever is no page', () => {
  it('is served by any name of loopback and by those that are configured, with JSON or no content type', async () => {
    const { port, chain } = await surfaceOf(undefined, { names: () => ['desk.internal'] });
    const hosts = [
      'localhost',
      `LOCALHOST:${port}`,
      '127.0.0.1:1',
      '127.1.2.3',
      '[::1]:80',
      'Desk.Internal:443',
      undefined,
    ];
    for (const Host of hosts) {
      expect((await call(port, 'POST', FIRM, { body: '{}', headers: Host ? { Host } : {} })).status).toBe(200);
    }
    for (const type of ['application/json', 'application/json; charset=utf-8', 'application/octet-stream']) {
      expect((await call(port, 'POST', FIRM, { body: '{}', headers: { 'Content-Type': type } })).status).toBe(200);
    }
    const same = { Host: 'desk.internal', Origin: 'https://desk.internal' };
    expect((await call(port, 'POST', FIRM, { body: '{}', headers: same })).status).toBe(200);
    expect(chain.firmRequests).toHaveLength(hosts.length + 4);
  });

  it('is judged by its signature alone where signatures are asked for', async () => {
    const { port } = await surfaceOf(undefined, { counterparties: () => COUNTERPARTIES });
    const headers = {
      ...signatureHeaders('GET', '/31337/prices'),
      Host: 'desk.example',
      Origin: 'https://elsewhere.example',
    };
    expect((await call(port, 'GET', '/31337/prices', { headers })).status).toBe(200);
  });
});
