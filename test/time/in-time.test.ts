import { expect, test } from 'vitest';
import { inTime } from '../../electron/time/in-time.ts';
import { pause } from '../../electron/time/pause.ts';

const never = new Promise<string>(() => {});

test('what comes in time is given, and what fails in time is thrown', async () => {
  expect(await inTime(Promise.resolve('here'), 1_000, () => 'late')).toBe('here');
  await expect(inTime(Promise.reject(new Error('refused')), 1_000, () => 'late')).rejects.toThrow('refused');
});

test('where it takes longer, what is set for that is given or thrown', async () => {
  expect(await inTime(never, 1, () => 'late')).toBe('late');
  const tooLate = () => {
    throw new Error('too late');
  };
  await expect(inTime(never, 1, tooLate)).rejects.toThrow('too late');
});

test('a failure that comes too late is nobody’s unhandled error', async () => {
  const failing = pause(5).then(() => Promise.reject(new Error('refused')));
  expect(await inTime(failing, 1, () => 'late')).toBe('late');
  await pause(20);
});

test('a pause ends at once when its signal is aborted, before or while it waits', async () => {
  await pause(60_000, AbortSignal.abort());
  const stop = new AbortController();
  const waited = pause(60_000, stop.signal);
  stop.abort();
  await waited;
});
