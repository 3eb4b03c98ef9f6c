import { expect, test } from 'vitest';
import { lostOf, type StandbyView, type SurfaceView, servingOf, takenBy } from '../../electron/contract/fleet.ts';

const surface = (change: Partial<SurfaceView>): SurfaceView => ({
  name: 'tokyo',
  url: 'http://tokyo.example',
  version: '1.0.0',
  startedAt: 0,
  switched: 'on',
  webSockets: 0,
  asked: 0,
  unanswered: 0,
  serves: true,
  perSecond: 0,
  p99Ms: null,
  heardAt: 0,
  isSilent: false,
  ...change,
});
const standby = (fault: StandbyView['fault']): StandbyView => ({
  name: 'lon-1',
  row: 1,
  hasKey: true,
  heardAt: 0,
  fault,
});

test('what should serve and does not is counted as lost; what a person switched off or drains is not', () => {
  const surfaces = [
    surface({}),
    surface({ isSilent: true }),
    surface({ serves: false }),
    surface({ switched: 'off', serves: false }),
    surface({ switched: 'draining' }),
  ];
  expect(servingOf({ surfaces })).toEqual({ serving: 1, on: 3 });
  const standbys = [standby(null), standby('stuck'), standby('silent')];
  expect(lostOf({ surfaces, standbys, isOver: false })).toBe(3);
  expect(lostOf({ surfaces, standbys, isOver: true })).toBe(0);
});

test('a desk that was taken over never names itself as who did that', () => {
  expect(takenBy({ name: 'fra-1', writer: 'fra-1' })).toBeNull();
  expect(takenBy({ name: 'fra-1', writer: null })).toBeNull();
  expect(takenBy({ name: 'fra-1', writer: 'lon-1' })).toBe('lon-1');
});
