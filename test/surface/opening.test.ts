import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { FakeChain } from './fake-chain.ts';
import { call } from './http-client.ts';
import { COUNTERPARTIES, surfaceOf } from './open-surface.ts';

describe('opening and closing a surface', () => {
  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.org'])(
    'refuses to listen on %s while nobody has to sign',
    async (host) => {
      await expect(surfaceOf(undefined, { host })).rejects.toMatchObject({
        code: 'surface_needs_counterparties',
        remedy: expect.stringContaining('counterparty'),
      });
    },
  );

  it('listens on any host once a counterparty is configured', async () => {
    const { surface, port } = await surfaceOf(undefined, { host: '0.0.0.0', counterparties: () => COUNTERPARTIES });
    expect(surface.url).toBe(`http://0.0.0.0:${port}`);
    expect((await call(port, 'GET', '/31337/prices')).status).toBe(401);
  });

  it('says which port is taken', async () => {
    const { port } = await surfaceOf();
    await expect(surfaceOf(undefined, { port })).rejects.toMatchObject({
      code: 'port_taken',
      message: `Port ${port} is taken.`,
    });
  });

  it('ends idle connections at once, lets an answer that is due out, and then takes no more', async () => {
    const { surface, port, chain } = await surfaceOf([new FakeChain(1, '')]);
    const asked = new Promise<() => void>((resolve) => {
      chain.answerFirm = (_input, respond) => resolve(() => respond({ status: 200, body: '{"order":{}}' }));
    });
    const idle = net.connect(port, '127.0.0.1');
    const idleEnded = new Promise((resolve) => idle.on('close', resolve));
    const due = call(port, 'POST', '/firm', { body: '{}' });
    const answer = await asked;
    const closing = surface.close();
    answer();
    await closing;
    await idleEnded;
    expect((await due).text).toBe('{"order":{}}');
    await expect(call(port, 'GET', '/prices')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
