import { expect, onTestFinished, test } from 'vitest';
import { openSurfaceClient } from '../../../electron/practice/consumer/surface-client.ts';
import { CREDENTIALS, NO_CHAIN, openStubMaker, type StubMaker } from './stub-maker.ts';

/** Surfaces of one maker, and a client of theirs that writes down which of them answered. */
async function openThree() {
  const surfaces: StubMaker[] = [];
  for (const name of ['first', 'second', 'third']) {
    const surface = await openStubMaker(NO_CHAIN);
    onTestFinished(() => surface.close());
    surface.instead.set('/prices', { status: 200, body: { name } });
    surfaces.push(surface);
  }
  const client = openSurfaceClient({
    surfaceUrls: surfaces.map(({ url }) => url),
    basePath: '/31337',
    counterparty: CREDENTIALS,
    now: Date.now,
  });
  const { signal } = new AbortController();
  const ask = async () => {
    const { body } = await client.call('/prices', { patienceMs: 5_000, signal });
    return (body as { name: string }).name;
  };
  return { surfaces, ask };
}

test('the surfaces of a maker are asked one after the other, and then the first again', async () => {
  const { surfaces, ask } = await openThree();
  const asked = [await ask(), await ask(), await ask(), await ask()];
  expect(asked).toEqual(['first', 'second', 'third', 'first']);
  expect(surfaces.flatMap(({ unauthenticated }) => unauthenticated)).toEqual([]);
});

test('where nothing listens the next one is asked at once, and where none does it is an error after each was tried once', async () => {
  const { surfaces, ask } = await openThree();
  await surfaces[1]?.close();
  expect([await ask(), await ask(), await ask()]).toEqual(['first', 'third', 'first']);
  for (const surface of surfaces) await surface.close();
  await expect(ask()).rejects.toThrow('fetch failed');
});

test('a surface that breaks off has been asked: no other one is asked the same', async () => {
  const { surfaces, ask } = await openThree();
  surfaces[0]?.instead.set('/prices', (response) => void response.destroy());
  await expect(ask()).rejects.toThrow('fetch failed');
  expect(await ask()).toBe('second');
});
