import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shareToken } from '../../renderer/state/console-address.ts';
import { oneOfAll } from '../../renderer/state/one-of-all.ts';
import { titleOf } from '../../renderer/state/windows.ts';

/** A tab with its own storage: `loads` counts how often it began anew. */
function tab(kept: string | null): { page: Window; kept: () => string | null; loads: () => number } {
  const storage = new Map(kept === null ? [] : [['makerdesk.token', kept]]);
  let loads = 0;
  const page = {
    sessionStorage: {
      getItem: (name: string) => storage.get(name) ?? null,
      setItem: (name: string, value: string) => void storage.set(name, value),
    },
    location: {
      reload: () => {
        loads += 1;
      },
    },
  };
  return {
    page: page as unknown as Window,
    kept: () => storage.get('makerdesk.token') ?? null,
    loads: () => loads,
  };
}

const untilHeard = async (heard: () => boolean) => {
  for (let turns = 0; turns < 1_000 && !heard(); turns += 1) await turn();
};

test('a tab without a token gets that of another tab and begins anew; one that has its own keeps it', async () => {
  const mine = JSON.stringify({ token: 'abc', actor: 'mara' });
  const other = JSON.stringify({ token: 'other', actor: null });
  const [first, second, fresh] = [tab(mine), tab(other), tab(null)];
  for (const { page } of [first, second, fresh]) shareToken(page);
  await untilHeard(() => fresh.loads() > 0);
  expect([mine, other]).toContain(fresh.kept());
  expect(fresh.loads()).toBe(1);
  expect([first.kept(), second.kept()]).toEqual([mine, other]);
  expect([first.loads(), second.loads()]).toEqual([0, 0]);
});

test('what no token is, is no answer', async () => {
  const [broken, fresh] = [tab('{"token":7}'), tab(null)];
  const others = new BroadcastChannel('makerdesk.token');
  let answers = 0;
  others.addEventListener('message', ({ data }) => {
    if (data.kind === 'answers' && data.kept === '{"token":7}') answers += 1;
  });
  shareToken(broken.page);
  shareToken(fresh.page);
  await untilHeard(() => answers > 0);
  await turn();
  others.close();
  expect(answers).toBeGreaterThan(0);
  expect(fresh.kept()).not.toBe('{"token":7}');
});

test('a window is named after what it shows and the state of the desk', () => {
  expect(titleOf('/', 'LIVE')).toBe('Desk · LIVE · Makerdesk');
  expect(titleOf('/firm-log', 'HALTED')).toBe('Firm log · HALTED · Makerdesk');
  expect(titleOf('/prices/31337/WETH%2FUSDC', 'LIVE')).toBe('WETH/USDC · Prices · LIVE · Makerdesk');
  expect(titleOf('/stops', null)).toBe('Stops · Makerdesk');
  expect(titleOf('/prices/1/WETH%2FUSDC', 'LIVE', 'fra-1')).toBe('fra-1 · WETH/USDC · Prices · LIVE · Makerdesk');
  expect(titleOf('/prices/1/100%', null)).toBe('100% · Prices · Makerdesk');
});

test('of several windows one acts, and where pages know of no others each does', async () => {
  const waiting: (() => Promise<unknown>)[] = [];
  const locks = { request: async (_name: string, hold: () => Promise<unknown>) => void waiting.push(hold) };
  const [one, other] = [0, 1].map(() => oneOfAll('alerts', locks as unknown as LockManager));
  expect([one?.acts(), other?.acts()]).toEqual([false, false]);
  void waiting[0]?.();
  expect([one?.acts(), other?.acts()]).toEqual([true, false]);
  expect(oneOfAll('alerts', undefined).acts()).toBe(true);
});
