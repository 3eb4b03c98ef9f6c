import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLANNED_CHAINS } from '../../../electron/practice/practice-desk.ts';
import { midAt, openReference, wandered } from '../../../electron/practice/reference/reference.ts';

const BPS = 10n ** 14n;
const STEP = 2_000;
const abs = (value: bigint) => (value < 0n ? -value : value);
const walk = (seed: number, name: string, step: number) => wandered({ seed, name, step, stepMilliBps: STEP });

test('a walk begins at 0, moves by 4 bps a second at most and stays within 400 bps, whatever the seed', () => {
  const cases = fc.record({ seed: fc.nat(), name: fc.string(), step: fc.nat(1_000_000) });
  fc.assert(
    fc.property(cases, ({ seed, name, step }) => {
      const [here, next] = [walk(seed, name, step), walk(seed, name, step + 1)];
      expect(walk(seed, name, 0)).toBe(0n);
      expect(abs(here) < 400n * BPS).toBe(true);
      expect(abs(next - here) < 4n * BPS).toBe(true);
      expect(walk(seed, name, step)).toBe(here);
    }),
    { numRuns: 40 },
  );
});

test('walks of other seeds and names go other ways, and come back over their begin', () => {
  const row = (seed: number, name: string) => Array.from({ length: 60 }, (_, at) => walk(seed, name, at * 60));
  expect(row(1, 'WETH')).not.toEqual(row(2, 'WETH'));
  expect(row(1, 'WETH')).not.toEqual(row(1, 'WBTC'));
  expect(row(1, 'WETH').some((at) => at > 0n) && row(1, 'WETH').some((at) => at < 0n)).toBe(true);
  const spread = row(1, 'WETH').map((at) => Number(at / BPS));
  expect(Math.max(...spread) - Math.min(...spread)).toBeGreaterThan(10);
});

test('pairs of the same tokens agree: LINK/WETH is LINK/USDC over WETH/USDC', () => {
  const [plan] = PLANNED_CHAINS;
  if (plan === undefined) throw new Error('no chain');
  for (const step of [0, 100, 5_000]) {
    const [link, weth, cross] = ['LINK/USDC', 'WETH/USDC', 'LINK/WETH'].map((id) => Number(midAt(plan, id, 1, step)));
    expect(Math.abs((link ?? 0) / (weth ?? 1) / (cross ?? 1) - 1)).toBeLessThan(1e-4);
  }
});

test('it is served per chain, a step a second, in the form of referenceUrl; other chains are refused', async () => {
  let time = 1_000_000;
  const { route, mid } = openReference({ plans: PLANNED_CHAINS, seed: 1, now: () => time });
  const ask = (path: string) => route({ method: 'GET', path, query: new URLSearchParams(), body: '' });
  expect(mid(31337, 'WETH/USDC')).toBe('3412');
  expect(mid(31337, 'NO/PAIR')).toBeNull();
  time += 60_900;
  const answer = await ask('/reference/31337');
  expect(answer?.status).toBe(200);
  expect(answer?.body).toMatchObject({
    prices: { 'WETH/USDC': { mid: expect.stringMatching(/^3[34]\d\d\.\d+$/), time: 1_060_000 } },
  });
  expect(mid(31337, 'WETH/USDC')).not.toBe('3412');
  expect(await ask('/reference/1')).toMatchObject({ status: 400, body: { errorType: 'UnsupportedChain' } });
  expect(await ask('/prices')).toBeNull();
});
