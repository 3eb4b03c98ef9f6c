import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { quotesNothing, watchState } from '../../electron/app/state-watch.ts';
import type { OwnDeskState } from '../../electron/contract/desks-elsewhere.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A desk that answers what it is doing, refuses to, or hangs. */
function desk() {
  const says = { state: 'LIVE', how: 'answers' as 'answers' | 'fails' | 'hangs' };
  const status = async () => {
    if (says.how === 'hangs') await new Promise(() => {});
    if (says.how === 'fails') throw new Error('The port is closed.');
    return { state: says.state };
  };
  return { says, client: { trading: { status } } as unknown as Parameters<ReturnType<typeof watchState>['follow']>[0] };
}

test.each(['hangs', 'fails'] as const)('a desk that %s is told once at its start and once at its end', async (how) => {
  const told: [OwnDeskState, boolean][] = [];
  const watch = watchState((state, isBack) => told.push([state, isBack]));
  const { says, client } = desk();
  watch.follow(client);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told).toEqual([['LIVE', false]]);
  says.how = how;
  await vi.advanceTimersByTimeAsync(180_000);
  expect(told.slice(1)).toEqual([['silent', false]]);
  says.how = 'answers';
  if (how === 'hangs') watch.follow(client); // its process was ended, and another started
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told.filter(([, isBack]) => isBack)).toEqual([['LIVE', true]]);
  expect(told.filter(([state]) => state === 'silent')).toHaveLength(1);
  watch.close();
});

test.each<[OwnDeskState, boolean]>([
  ['LIVE', false],
  ['DRAIN', false],
  ['silent', false],
  ['starting', false],
  ['HALTED', true],
  ['waits', true],
  ['ended', true],
])('a desk that is %s quotes nothing for certain: %s', (state, nothing) => {
  expect(quotesNothing(state)).toBe(nothing);
});
