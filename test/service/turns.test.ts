import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marketChains } from '../../electron/service/market-operations.ts';
import { ServiceClient } from '../../electron/service/service-client.ts';
import { ServiceConnection } from '../../electron/service/service-connection.ts';
import { type AskedDays, Turns } from '../../electron/service/turns.ts';
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
            turns.take(A, givenUp && index === 0 ? { signal: stop.signal } : {}).then(
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
    const first = turns.take(A, { signal: stop.signal });
    const second = turns.take(A);
    stop.abort(new Error('not wanted any more'));
    await expect(first).rejects.toThrow('not wanted any more');
    await second;
    expect(clock.time).toBe(1_100);
    await expect(turns.take(A, { signal: stop.signal })).rejects.toThrow('not wanted any more');
  });

  it('are refused to the eleventh who would wait', async () => {
    const turns = new Turns(sleptClock());
    const asked = await Promise.allSettled(Array.from({ length: 13 }, () => turns.take(A)));
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused).toEqual(['service_busy', 'service_busy', 'service_busy']);
    await turns.take(A);
  });

  it('are taken by orders under way before whoever waits already, however many do', async () => {
    const turns = new Turns(sleptClock());
    const went: string[] = [];
    const others = Array.from({ length: 10 }, (_, index) => turns.take(A).then(() => went.push(`other ${index}`)));
    const orders = ['follow', 'cancel'].map((name) => turns.take(A, { isForOrder: true }).then(() => went.push(name)));
    await Promise.all([...others, ...orders]);
    expect(went.slice(0, 4)).toEqual(['follow', 'cancel', 'other 0', 'other 1']);
  });

  it('are shared by everybody in the process who asks that service, on a real clock too', async () => {
    const server = await answering((request, response) => {
      const order = { orderHash: request.url?.slice(-66), state: 'PENDING' };
      json(request.url?.startsWith('/ft/') ? order : [31337])(request, response);
    });
    const turns = new Turns();
    const before = performance.now();
    const options = { serviceUrl: server.url, turns, now: Date.now };
    await Promise.all([
      marketChains(new ServiceConnection(options)),
      new ServiceClient(Date.now, turns).order(`${server.url}/`, `0x${'a'.repeat(64)}`),
      marketChains(new ServiceConnection({ ...options, intentSegment: 'delta' })),
    ]);
    // From the start: how long each travels is the machine's, and two may come close together though they left apart.
    expect(server.asked).toHaveLength(3);
    for (const [index, { at }] of server.asked.entries()) expect(at - before).toBeGreaterThanOrEqual(index * 1_100);
  });
});

const DAY_MS = 86_400_000;
const ORIGIN = new URL(A).origin;

/** Turns of a desk whose count lies where another one finds it, as it was noted last. */
function counted(asked: number, now = () => 10 * DAY_MS, hasKey = false) {
  const memory = {
    noted: { [ORIGIN]: { day: Math.floor(now() / DAY_MS), asked } } as AskedDays,
    notes: [] as AskedDays[],
    note: (days: AskedDays) => void memory.notes.push(days),
  };
  const clock = sleptClock();
  return { turns: new Turns(clock, () => hasKey, now, memory), memory, clock };
}
const spent = { code: 'service_day_spent', message: expect.stringMatching(/3000 questions .* last 600 are left/) };

describe('the questions of a day', () => {
  it('are refused once only those for orders under way are left, which those orders get to the last one and beyond', async () => {
    const { turns } = counted(2_398);
    await turns.take(A);
    await turns.take(A);
    await expect(turns.take(A)).rejects.toMatchObject(spent);
    expect(() => turns.checkBudget(A)).toThrow(expect.objectContaining(spent));
    await turns.take(B);
    for (let order = 0; order < 700; order += 1) await turns.take(A, { isForOrder: true });
    expect(turns.budget(A)).toEqual({ asked: 3_100, perDay: 3_000, reserve: 600 });
  });

  it('that wait count as asked: many at once do not reach into what is kept', async () => {
    const { turns } = counted(2_397);
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => turns.take(A)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(turns.budget(A).asked).toBe(2_400);
  });

  it('begin anew at midnight, and not when the clock is set back', async () => {
    const clock = { now: 10 * DAY_MS };
    const { turns } = counted(2_400, () => clock.now);
    await expect(turns.take(A)).rejects.toMatchObject(spent);
    clock.now -= DAY_MS;
    await expect(turns.take(A)).rejects.toMatchObject(spent);
    clock.now += 2 * DAY_MS;
    await turns.take(A);
    expect(turns.budget(A).asked).toBe(1);
  });

  it('with a key are counted and never refused', async () => {
    const { turns } = counted(90_000, undefined, true);
    await turns.take(A);
    expect(turns.budget(A)).toEqual({ asked: 90_001, perDay: null, reserve: 0 });
  });

  it('are never fewer to the next desk than this one asked, nor many more, at whatever moment it dies; and are noted seldom', async () => {
    const life = fc.record({ asked: fc.nat(60), hasKey: fc.boolean(), farewell: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(life, { maxLength: 8 }), async (lives) => {
        let known = 0;
        let truth = 0;
        for (const { asked, hasKey, farewell } of lives) {
          const { turns, memory, clock } = counted(known, undefined, hasKey);
          const times: number[] = [];
          for (let question = 0; question < asked; question += 1) {
            const notes = memory.notes.length;
            await turns.take(A);
            truth += 1;
            if (memory.notes.length > notes) times.push(clock.time);
            expect(memory.notes.at(-1)?.[ORIGIN]?.asked ?? 0).toBeGreaterThanOrEqual(truth);
          }
          expect(times.slice(1).every((time, index) => time - (times[index] ?? 0) >= 5_000)).toBe(true);
          const before = known;
          known = (farewell ? turns.asked() : (memory.notes.at(-1) ?? memory.noted))[ORIGIN]?.asked ?? 0;
          expect(known).toBeGreaterThanOrEqual(truth);
          expect(known - before - asked).toBeLessThanOrEqual(farewell ? 0 : hasKey ? 44 : 10);
        }
      }),
      { numRuns: 40 },
    );
  });
});
