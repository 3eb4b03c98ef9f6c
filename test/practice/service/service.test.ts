import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PracticeChain } from '../../../electron/practice/practice-chain.ts';
import { contractTakersRoute } from '../../../electron/practice/service/contract-takers.ts';
import type { ServiceRequest } from '../../../electron/practice/service/route.ts';
import { openService, type PracticeService } from '../../../electron/practice/service/service.ts';
import { collectLog } from '../collected-log.ts';

const faults = { down: false, slowMs: 0 };
const chains = [31337, 31338].map((chainId) => ({ chainId, takers: [`0x${chainId}`] })) as unknown as PracticeChain[];
const log = collectLog();
let service: PracticeService;

beforeEach(async () => {
  log.lines.length = 0;
  Object.assign(faults, { down: false, slowMs: 0 });
  const broken = async ({ path, body, apiKey, from }: ServiceRequest) => {
    if (path === '/broken') throw new Error('it broke');
    if (path === '/who') return { status: 200, body: { apiKey, from } };
    return path === '/echo' ? { status: 200, body: { body } } : null;
  };
  service = await openService({ port: 0, routes: [contractTakersRoute(chains, log), broken], faults, log });
});
afterEach(() => service.close());

async function ask(path: string, init?: RequestInit): Promise<[number, unknown]> {
  const answer = await fetch(`${service.url}${path}`, init);
  return [answer.status, await answer.json()];
}

test('the execution contracts of every chain are told; another chain, a missing or odd network is refused', async () => {
  expect(await ask('/adapters/contract-takers?network=31337')).toEqual([200, ['0x31337']]);
  expect(await ask('/adapters/contract-takers?network=31338')).toEqual([200, ['0x31338']]);
  expect(await ask('/adapters/contract-takers?network=1')).toMatchObject([400, { errorType: 'UnsupportedChain' }]);
  for (const query of ['', '?network=', '?network=0x1', '?network=-1']) {
    expect(await ask(`/adapters/contract-takers${query}`)).toMatchObject([400, { errorType: 'InvalidInput' }]);
  }
  const posted = await ask('/adapters/contract-takers?network=31337', { method: 'POST' });
  expect(posted).toMatchObject([405, { errorType: 'InvalidInput' }]);
});

test('whatever is wrong is answered in the envelope: no such path, a route that throws, a body too large', async () => {
  expect(await ask('/')).toMatchObject([404, { errorType: 'NotFound', details: expect.any(String) }]);
  expect(await ask('/broken')).toMatchObject([500, { errorType: 'InternalError' }]);
  expect(log.lines).toEqual(['! service: a request could not be answered: it broke']);
  expect(await ask('/echo', { method: 'POST', body: 'x' })).toEqual([200, { body: 'x' }]);
  const large = await ask('/echo', { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) }).catch(() => 'cut');
  if (large !== 'cut') expect(large).toMatchObject([413, { errorType: 'InvalidInput' }]);
  expect(await ask('/echo', { method: 'POST', body: 'y' })).toEqual([200, { body: 'y' }]);
});

test('what is not HTTP at all gets an answer and harms nobody', async () => {
  const said = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(text));
  });
  expect(said).toMatch(/^HTTP\/1.1 400 .*"errorType":"InvalidInput"/s);
  expect((await ask('/'))[0]).toBe(404);
});

test('while it is down nothing is answered, while it is slow everything late; then it is as before', async () => {
  faults.down = true;
  service.hangUp();
  await expect(ask('/')).rejects.toThrow();
  faults.down = false;
  faults.slowMs = 200;
  const asked = performance.now();
  expect((await ask('/'))[0]).toBe(404);
  expect(performance.now() - asked).toBeGreaterThan(190);
});

test('a route hears who asks: the key they send, and where from', async () => {
  const headers = { 'X-API-KEY': 'abc' };
  expect(await ask('/who', { headers })).toEqual([200, { apiKey: 'abc', from: '127.0.0.1' }]);
  expect(await ask('/who')).toEqual([200, { from: '127.0.0.1' }]);
});
