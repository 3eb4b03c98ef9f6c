import { expect, test } from 'vitest';
import { openTestJournal } from './fixture.ts';
import { CHAIN, START } from './sample-events.ts';

const PAIR = 'WETH/USDC';
const HOUR_MS = 3_600_000;
const WEEK = 7 * 24;
/** How far our clock is ahead in these tests: a week's samples are old by it. */
const AHEAD_MS = 8 * 24 * HOUR_MS;

/** The samples of a journal into which these are written, hour by hour after `START` for as many hours. */
async function samplesOf(hours: number) {
  const journal = await openTestJournal();
  /** Writes what was heard at these times by our clock. */
  const says = (times: readonly number[], mid = '3412', clockAgrees = true) =>
    Promise.all(
      times.map((time) =>
        journal.put({ table: 'reference_samples', chainId: CHAIN, pair: PAIR, time, heard: time, mid, clockAgrees }),
      ),
    );
  const real = Array.from({ length: hours }, (_, hour) => START + hour * HOUR_MS);
  await says(real);
  return {
    says,
    real,
    now: START + hours * HOUR_MS,
    at: (time: number) => journal.read.referenceAt(CHAIN, PAIR, time),
    kept: async () => {
      const samples = await journal.read.referenceSamples(CHAIN, PAIR, 0, Number.MAX_SAFE_INTEGER);
      return samples.map(({ time }) => time);
    },
  };
}

test('a sample of a clock that was days ahead takes out no real one, and is gone with the next: it is not believed once its time comes', async () => {
  const { says, real, now, at, kept } = await samplesOf(WEEK);
  const ahead = now + AHEAD_MS;
  await says([ahead], '9999');
  expect(await kept()).toEqual([...real, ahead]);
  await says([now]);
  expect(await kept()).toEqual([...real, now]);
  expect(await at(ahead)).toBeNull();
  await says([ahead - 1_000]);
  expect(await at(ahead)).toEqual({ time: ahead - 1_000, mid: '3412' });
});

test('a clock that is days ahead for a while takes out no more of the real samples than twice what is heard meanwhile', async () => {
  const { says, real, now, kept } = await samplesOf(WEEK);
  const ahead = Array.from({ length: 40 }, (_, second) => now + AHEAD_MS + second * 1_000);
  await says(ahead, '9999');
  await says([now]);
  const left = await kept();
  expect(left.at(-1)).toBe(now);
  expect(left).toEqual([...real, now].slice(-left.length));
  expect(left.length).toBeGreaterThan(WEEK - 2 * ahead.length);
});

test('samples are kept for a week, and go as new ones come', async () => {
  const { real, kept } = await samplesOf(WEEK + 72);
  expect(await kept()).toEqual(real.slice(-WEEK - 2));
});

test('a clock that is days behind for a while takes out nothing of what was heard before', async () => {
  const { says, real, kept } = await samplesOf(WEEK);
  const behind = START - HOUR_MS;
  await says([behind], '9999', false);
  expect(await kept()).toEqual([behind, ...real]);
});
