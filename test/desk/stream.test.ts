import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folded } from '../../electron/desk/stream.ts';

function source() {
  const listeners = new Set<(value: number[]) => void>();
  const subscribe = (listener: (value: number[]) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    subscribe,
    tell: (value: number) => {
      for (const listener of listeners) listener([value]);
    },
    listeners,
  };
}
const join = (a: number[], b: number[]) => [...a, ...b];

test('a reader gets everything in order, whatever its pace', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { maxLength: 30 }), async (bursts) => {
      const { subscribe, tell } = source();
      const stop = new AbortController();
      const stream = folded(subscribe, join, stop.signal);
      const got: number[] = [];
      let told = 0;
      let next = stream.next();
      for (const burst of bursts) {
        for (let i = 0; i < burst; i += 1) tell(told++);
        if (burst > 0) {
          const result = await next;
          if (!result.done) got.push(...result.value);
          next = stream.next();
        }
      }
      stop.abort();
      await next;
      expect(got).toEqual(Array.from({ length: told }, (_, i) => i));
    }),
  );
});

test('a slow reader gets what it missed as one value', async () => {
  const { subscribe, tell } = source();
  const stream = folded(subscribe, join, undefined);
  const first = stream.next();
  tell(1);
  tell(2);
  tell(3);
  expect((await first).value).toEqual([1, 2, 3]);
  await stream.return();
});

test('the listener is taken off when the signal ends the stream', async () => {
  const { subscribe, listeners } = source();
  const stop = new AbortController();
  const stream = folded(subscribe, join, stop.signal);
  const next = stream.next();
  expect(listeners.size).toBe(1);
  stop.abort();
  expect((await next).done).toBe(true);
  expect(listeners.size).toBe(0);
});
