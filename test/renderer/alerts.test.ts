import { expect, test } from 'vitest';
import { alertSettingsSchema, isSilenced, USUAL_ALERTS } from '../../electron/contract/alert-settings.ts';
import type { Attention } from '../../electron/contract/desk-view.ts';
import type { Status } from '../../electron/contract/trading.ts';
import { alertsBetween, type Watched } from '../../renderer/state/alert-changes.ts';

const status = (state: Status['state'], reason: string | null = null): Status => ({
  state,
  reason,
  actor: 'Night desk',
  since: 1,
  drainUntil: null,
  chains: [],
});
const row = (code: string, level: Attention['level'], title = code): Attention => ({
  code,
  level,
  title,
  detail: '63 s old',
});
const seen = (changes: Partial<Watched> = {}): Watched => ({
  status: status('LIVE'),
  attention: [],
  line: 'connected',
  ...changes,
});

test('what is wrong when a console opens is on the screen and trips nothing', () => {
  const first = seen({ status: null });
  expect(alertsBetween(first, seen({ status: status('HALTED'), attention: [row('a', 'stop')] }), '')).toEqual([]);
});

test('a halt says who did it and why', () => {
  const [alert] = alertsBetween(seen(), seen({ status: status('HALTED', 'hack') }), '');
  expect(alert).toMatchObject({ kind: 'halt', title: 'The desk is HALTED by Night desk' });
  expect(alert?.detail).toContain('hack');
});

test('what stopped trips once, whatever its numbers do; a note never does', () => {
  const before = seen({ attention: [row('a', 'stop')] });
  const now = seen({ attention: [row('a', 'stop', 'a, 64 s old'), row('b', 'look'), row('c', 'note')] });
  expect(alertsBetween(before, now, '').map(({ kind, code, detail }) => [kind, code, detail])).toEqual([
    ['look', 'b', '63 s old'],
  ]);
});

test('the same code that becomes worse trips again', () => {
  const alerts = alertsBetween(seen({ attention: [row('a', 'look')] }), seen({ attention: [row('a', 'stop')] }), '');
  expect(alerts.map(({ kind }) => kind)).toEqual(['stop']);
});

test('what covers something more trips again under its own code, what covers less or the same does not', () => {
  const dark = (...covers: string[]) => ({
    ...row('reference 1', 'stop', `${covers.length} pairs are closed`),
    covers,
  });
  const trips = (before: Attention, now: Attention) =>
    alertsBetween(seen({ attention: [before] }), seen({ attention: [now] }), '').map(({ title }) => title);
  expect(trips(dark('A'), dark('A', 'B'))).toEqual(['2 pairs are closed']);
  expect(trips(dark('A', 'B'), dark('B', 'C'))).toEqual(['2 pairs are closed']);
  expect(trips(dark('A', 'B'), dark('B'))).toEqual([]);
  expect(trips(dark('A', 'B'), dark('B', 'A'))).toEqual([]);
});

test('what is wrong with prices is no news while nobody is quoted them, and is once the desk or its chain goes on', () => {
  const chains = (state: 'LIVE' | 'HALTED') => [{ chainId: 1, state, closed: null, pairs: {} }];
  const price = { ...row('off reference 1 WETH/USDC', 'stop'), pricesOf: 1 };
  const other = row('alarm 1', 'stop');
  const halted = { ...status('HALTED'), chains: chains('HALTED') };
  const chainHalted = { ...status('LIVE'), chains: chains('HALTED') };
  const live = { ...status('LIVE'), chains: chains('LIVE') };
  for (const stopped of [halted, chainHalted]) {
    const trips = alertsBetween(seen({ status: stopped }), seen({ status: stopped, attention: [price, other] }), '');
    expect(
      trips.map(({ code }) => code),
      'everything else is',
    ).toEqual(['alarm 1']);
    const resumed = alertsBetween(
      seen({ status: stopped, attention: [price, other] }),
      seen({ status: live, attention: [price, other] }),
      '',
    );
    expect(resumed.map(({ code }) => code)).toEqual(['off reference 1 WETH/USDC']);
  }
  const elsewhere = { ...price, pricesOf: 2 };
  const trips = alertsBetween(seen({ status: chainHalted }), seen({ status: chainHalted, attention: [elsewhere] }), '');
  expect(trips, 'of a chain that trades').toHaveLength(1);
});

test('a lost line says when the desk was last heard', () => {
  const [alert] = alertsBetween(seen(), seen({ line: 'lost' }), '4 s');
  expect(alert?.detail).toContain('4 s ago');
  expect(alertsBetween(seen({ line: 'lost' }), seen({ line: 'lost' }), '')).toEqual([]);
});

test('what was kept in another form is as usual, kind by kind', () => {
  const kept = alertSettingsSchema.parse({
    halt: { desktop: false, sound: false, silentUntil: 5, silencedBy: 'mara' },
    stop: { desktop: false, sound: 'loud' },
    look: 3,
  });
  expect(kept).toMatchObject({ halt: { desktop: false, silentUntil: 5 }, stop: USUAL_ALERTS.stop });
  expect(kept.look).toEqual(USUAL_ALERTS.look);
  expect([isSilenced(kept.halt, 4), isSilenced(kept.halt, 5), isSilenced(kept.stop, 4)]).toEqual([true, false, false]);
});
