import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bodyOf, call, raw } from './http-client.ts';
import { surfaceOf } from './open-surface.ts';

const quick = { headersMs: 200, requestMs: 300, idleMs: 200, stalledMs: 2_000 };

describe('a connection that stands still', () => {
  it.each([
    ['says nothing at all', ''],
    ['stops in the middle of its headers', 'GET /31337/prices HTTP/1.1\r\nHost: localhost\r\n'],
    ['stops in the middle of its body', 'POST /31337/firm HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{'],
  ])('is told so and closed when it %s', async (_name, bytes) => {
    const { port, chain } = await surfaceOf(undefined, { bounds: quick });
    const answer = await raw(port, bytes);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(bodyOf(answer)).toEqual({ error: 'The request did not arrive in time.', code: 'invalid_request' });
    expect(chain.firmRequests).toEqual([]);
  });

  it('is closed after its answer when no other request follows', async () => {
    const { port } = await surfaceOf(undefined, { bounds: { idleMs: 200 } });
    expect(await raw(port, 'GET /31337/prices HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });

  it('does not keep others from being served, and beyond the limit the oldest of those who do not say who they are are let go', async () => {
    // Nobody is let go for their slowness here, which the three above are.
    const patient = { headersMs: 600_000, requestMs: 600_000, stalledMs: 600_000, strangerMs: 600_000 };
    const { port } = await surfaceOf(undefined, { bounds: { ...patient, maxStrangers: 4 } });
    // One whose own request was late, on a busy machine, asks again.
    const served = () => expect.poll(async () => (await call(port, 'GET', '/31337/prices').catch(() => null))?.status);
    const letGo: number[] = [];
    const slow = (which: number) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET /'));
      socket.on('error', () => {}).on('close', () => letGo.push(which));
      onTestFinished(() => void socket.destroy());
    };
    for (const which of [1, 2, 3]) slow(which);
    await served().toBe(200);
    for (const which of [4, 5, 6]) slow(which);
    await expect.poll(() => letGo).toContain(1);
    await served().toBe(200);
  });
});
