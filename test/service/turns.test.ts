import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marketChains } from '../../electron/service/market-operations.ts';
import { ServiceClient } from '../../electron/service/service-client.ts';
import { ServiceConnection } from '../../electron/service/service-connection.ts';
import { Turns } from '../../electron/service/turns.ts';
import { answering, json } from './http-answers.ts';
import { sleptClock } from './slept-clock.ts';

const A = 'http://127.0.0.1:1/prices';
const B = 'http://127.0.0.1:2/prices';

describe('turns at a service', () => {
  it('come one after another, more than a second apart, whatever the path', async () => {
    const clock = sleptClock();
    const turns = new Turns(clock);
    const times: number[] = [];
    const paths = ['/prices', '/swap', '/v2/quote?a=1', '/transactions/1'];
    await Promise.all(
      paths.map(async (path) => turns.take(`http://127.0.0.1:1${path}`).then(() => times.push(clock.time))),
    );
    expect(times).toEqual([0, 1_100, 2_200, 3_300]);
  });

  it('of one origin do not wait for another', async () => {
    const clock = sleptClock();
    const turns = new Turns(clock);
    await turns.take(A);
    await turns.take(B);
    expect(clock.time).toBe(0);
    await turns.take(A);
    expect(clock.time).toBe(1_100);
  });

  it('never are closer than a second, whatever was held, given up or waited for', async () => {
    const step = fc.record({
      pause: fc.nat(2_000),
      hold: fc.option(fc.nat(5_000)),
      givenUp: fc.boolean(),
      together: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const clock = sleptClock();
        const turns = new Turns(clock);
        const times: number[] = [];
        for (const { pause, hold, givenUp, together } of steps) {
          clock.time += pause;
          const until = hold === null ? 0 : clock.time + hold;
          if (hold !== null) turns.hold(A, hold);
          const stop = new AbortController();
          const taken = Array.from({ length: together }, (_, index) =>
            turns.take(A, givenUp && index === 0 ? stop.signal : undefined).then(
              () => times.push(clock.time),
              () => {},
            ),
          );
          stop.abort();
          await Promise.all(taken);
          expect(times.at(-1) ?? until).toBeGreaterThanOrEqual(givenUp && together === 1 ? 0 : until);
        }
        const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
        expect(gaps.every((gap) => gap >= 1_100)).toBe(true);
      }),
    );
  });

  it('that somebody gave up are the next one’s, at once', async () => {
    const clock = sleptClock();
    const turns = new Turns(clock);
    await turns.take(A);
    const stop = new AbortController();
    const first = turns.take(A, stop.signal);
    const second = turns.take(A);
    stop.abort(new Error('not wanted any more'));
    await expect(first).rejects.toThrow('not wanted any more');
    await second;
    expect(clock.time).toBe(1_100);
    await expect(turns.take(A, stop.signal)).rejects.toThrow('not wanted any more');
  });

  it('are refused to the eleventh who would wait', async () => {
    const turns = new Turns(sleptClock());
    const asked = await Promise.allSettled(Array.from({ length: 13 }, () => turns.take(A)));
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused).toEqual(['service_busy', 'service_busy', 'service_busy']);
    await turns.take(A);
  });

  it('are shared by everybody in the process who asks that service, on a real clock too', async () => {
    const server = await answering((request, response) => {
      const order = { orderHash: request.url?.slice(-66), state: 'PENDING' };
      json(request.url?.startsWith('/ft/') ? order : [31337])(request, response);
    });
    const turns = new Turns();
    const options = { serviceUrl: server.url, turns, now: Date.now };
    await Promise.all([
      marketChains(new ServiceConnection(options)),
      new ServiceClient(Date.now, turns).order(`${server.url}/`, `0x${'a'.repeat(64)}`),
      marketChains(new ServiceConnection({ ...options, intentSegment: 'delta' })),
    ]);
    const gaps = server.asked.slice(1).map(({ at }, index) => at - (server.asked[index]?.at ?? 0));
    expect(gaps).toHaveLength(2);
    for (const gap of gaps) expect(gap).toBeGreaterThan(1_000);
  });
});
