import { describe, expect, it, vi } from 'vitest';
import type { Hex } from '../../electron/protocol/address.ts';
import { ServiceClient } from '../../electron/service/service-client.ts';
import { Turns } from '../../electron/service/turns.ts';
import { answering, json, saying } from './http-answers.ts';

const hash = (digit: string) => `0x${digit.repeat(64)}` as Hex;
const record = (state: string, orderHash = hash('a')) => ({
  orderHash,
  chainId: 31337,
  state,
  type: 'P2P',
  expiry: 1_800_000_000,
  fillableBalance: '12',
  maker: `0x${'AA'.repeat(20)}`,
  transactionHash: null,
  somethingNew: true,
});

describe('an order looked up at the service', () => {
  it('is asked for by its hash, and fields and states that nobody knows are no fault', async () => {
    const service = await answering(json(record('FROZEN')));
    const { record: found } = await new ServiceClient(Date.now).order(`${service.url}/`, hash('a'));
    expect(service.asked[0]?.path).toBe(`/ft/order/${hash('a')}`);
    expect(found).toMatchObject({ state: 'FROZEN', fillableBalance: '12', maker: `0x${'aa'.repeat(20)}` });
  });

  it('costs one call in a second, and none while it is kept', async () => {
    const clock = { now: 0 };
    const asked: { at: number; orderHash: Hex }[] = [];
    const service = await answering((request, response) => {
      const orderHash = (request.url ?? '').slice(-66) as Hex;
      asked.push({ at: clock.now, orderHash });
      json(record('PENDING', orderHash))(request, response);
    });
    // Time passes only while a turn is waited for, and not before the question of the turn before has come.
    const turns = new Turns({
      now: () => clock.now,
      async sleep(milliseconds) {
        await vi.waitFor(() => expect(asked).not.toEqual([]));
        clock.now += milliseconds;
      },
    });
    const client = new ServiceClient(() => clock.now, turns);
    await Promise.all([hash('a'), hash('b'), hash('a')].map((orderHash) => client.order(service.url, orderHash)));
    expect(asked).toEqual([
      { at: 0, orderHash: hash('a') },
      { at: 1_100, orderHash: hash('b') },
    ]);
    clock.now = 2_000;
    await client.order(service.url, hash('a'));
    expect(asked).toHaveLength(2);
    clock.now = 4_200; // its answer may have come only when the other turn had passed
    await client.order(service.url, hash('a'));
    expect(asked).toHaveLength(3);
  });

  it('that has ended is kept longer', async () => {
    const clock = { now: 0 };
    const service = await answering(json(record('FULFILLED')));
    const client = new ServiceClient(() => clock.now);
    await client.order(service.url, hash('a'));
    clock.now = 30_000;
    await client.order(service.url, hash('a'));
    expect(service.asked).toHaveLength(1);
  });

  it('is asked for again where our clock was set back since: nobody knows how old what is kept is', async () => {
    const clock = { now: 10_000_000 };
    const service = await answering(json(record('FULFILLED')));
    const client = new ServiceClient(() => clock.now);
    await client.order(service.url, hash('a'));
    clock.now -= 3_600_000;
    await client.order(service.url, hash('a'));
    expect(service.asked).toHaveLength(2);
  });

  it.each([
    ['does not know', json({ errorType: 'NotFound', details: 'no order' }, 404), 'unknown_order', /NotFound: no order/],
    [
      'refuses',
      json({ errorType: 'InvalidInput', details: 'bad hash' }, 400),
      'service_refused',
      /InvalidInput: bad hash/,
    ],
    ['counts calls', saying('Too Many Requests', 429, 'text/plain'), 'service_refused', /HTTP 429: Too Many Requests/],
    ['answers with HTML', saying('<html>hello</html>'), 'service_nonsense', /<html>hello/],
    ['answers with another order', json(record('PENDING', hash('b'))), 'service_nonsense', /another order/],
    ['answers with amounts as numbers', json({ fillableBalance: 12 }), 'service_nonsense', /fillableBalance/],
    ['answers with nothing', saying(''), 'service_nonsense', /nothing at all/],
  ])('keeps what the service says when it %s', async (_what, answer, code, sentence) => {
    const { url } = await answering(answer);
    await expect(new ServiceClient(Date.now).order(url, hash('a'))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(sentence),
    });
  });

  it('is refused when too many wait already', async () => {
    const { url } = await answering(() => {});
    const client = new ServiceClient(Date.now);
    const asked = '0123456789abcdef'.split('').map((digit) => client.order(url, hash(digit)).catch((error) => error));
    const answers = await Promise.race([Promise.all(asked.slice(-3)), Promise.all(asked)]);
    expect(answers.map(({ code }) => code)).toEqual(['service_busy', 'service_busy', 'service_busy']);
  });
});
