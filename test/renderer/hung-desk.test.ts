import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { alertSettingsSchema, USUAL_ALERTS } from '../../electron/contract/alert-settings.ts';
import type { Attention, DeskUpdate } from '../../electron/contract/desk-view.ts';
import type { Status } from '../../electron/contract/trading.ts';
import { openAlerts } from '../../renderer/state/alerts.ts';
import { openConnection } from '../../renderer/state/connection.ts';
import { openDeskStore } from '../../renderer/state/desk-store.ts';
import { openHalt } from '../../renderer/state/halt.ts';
import { openToasts } from '../../renderer/state/toasts.ts';
import type { ConsoleLink, LineEvents } from '../../renderer/state/transport.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LIVE: Status = { state: 'LIVE', reason: null, actor: null, since: 1, drainUntil: null, chains: [] };

/** No sound here: there is no browser. */
const SILENT = alertSettingsSchema.parse(
  Object.fromEntries(Object.entries(USUAL_ALERTS).map(([kind, setting]) => [kind, { ...setting, sound: false }])),
);

/**
 * A console on a desk that beats once a second, until it hangs: then ports still open and take what is sent, and nothing
 * comes back. When it wakes it answers what waited for it. `aheadMs`: how far its clock is before the console’s; `heardMs`: how long it
 * was heard; `firstWordMs`: how long it takes to the first word on each line.
 */
async function consoleOn({ aheadMs = 0, status = LIVE, heardMs = 2_000, firstWordMs = 0 } = {}) {
  const clock = () => Date.now() + aheadMs;
  const desk = { status, attention: [] as Attention[], hangs: false, halts: 0 };
  const waiting: (() => void)[] = [];
  const awake = () => (desk.hangs ? new Promise<void>((resolve) => waiting.push(resolve)) : Promise.resolve());
  async function* watch(isOpen: () => boolean): AsyncGenerator<DeskUpdate> {
    await awake();
    if (firstWordMs > 0) await new Promise((resolve) => setTimeout(resolve, firstWordMs));
    if (!isOpen()) await new Promise(() => {}); // nothing comes over a line that was given up
    yield { time: clock(), actor: 'mara', status: desk.status, alerts: SILENT };
    for (let told = desk.status; ; ) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await awake();
      const beat = { time: clock(), actor: 'mara', attention: desk.attention };
      yield told === desk.status ? beat : { ...beat, status: desk.status };
      told = desk.status;
    }
  }
  const linkOf = (isOpen: () => boolean) => ({
    call: async (path: readonly string[]) => {
      if (path.join('.') === 'desk.watch') return watch(isOpen);
      if (path.join('.') !== 'trading.halt') throw new Error(`${path.join('.')} is not answered here.`);
      await awake();
      desk.halts += 1;
      desk.status = { ...LIVE, state: 'HALTED', since: clock() };
      return { durable: true, at: clock(), status: desk.status };
    },
  });
  const lines: LineEvents[] = [];
  const connection = openConnection((events) => {
    lines.push(events);
    let isOpen = true;
    setTimeout(() => events.ready(linkOf(() => isOpen) as unknown as ConsoleLink), 10);
    return () => {
      isOpen = false;
    };
  });
  const store = openDeskStore(connection);
  const app = {
    asked: 0,
    halt: () => {
      app.asked += 1;
    },
  };
  const toasts = openToasts();
  const alerts = openAlerts(connection, store, toasts);
  const halt = openHalt(connection, store, toasts, app);
  await vi.advanceTimersByTimeAsync(heardMs);
  const wake = async () => {
    desk.hangs = false;
    for (const go of waiting.splice(0)) go();
    await vi.advanceTimersByTimeAsync(4_000);
  };
  return { desk, connection, store, halt, app, alerts, wake };
}

const lineAlerts = ({ alerts }: Awaited<ReturnType<typeof consoleOn>>) =>
  alerts
    .told()
    .filter(({ kind }) => kind === 'line')
    .map(({ title }) => title);

test('a desk that says nothing new is heard all the same, and the line stays', async () => {
  const { connection } = await consoleOn();
  for (let seconds = 0; seconds < 120; seconds += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    expect(connection.line().state).toBe('connected');
  }
});

test('a desk that hangs is lost within five seconds and stays lost, whatever ports open; its figures keep their age', async () => {
  const it = await consoleOn();
  it.desk.hangs = true;
  const { heardAt } = it.connection.line();
  await vi.advanceTimersByTimeAsync(5_000);
  for (let seconds = 0; seconds < 180; seconds += 1) {
    expect(it.connection.line().state).toBe('lost');
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect((it.connection.line().heardAt ?? 0) - (heardAt ?? 0)).toBeLessThanOrEqual(1_000);
  expect(it.connection.line().epoch).toBeGreaterThan(5);
  expect(lineAlerts(it)).toEqual(['This screen is not connected']);
  await it.wake();
  expect(it.connection.line().state).toBe('connected');
  expect(lineAlerts(it)).toEqual(['This screen is connected again: the desk is LIVE', 'This screen is not connected']);
});

test('a desk that takes longer to its first word than a line is given is heard all the same: each line waits longer than the one before', async () => {
  const { connection } = await consoleOn({ firstWordMs: 25_000, heardMs: 120_000 });
  expect(connection.line()).toMatchObject({ state: 'connected', epoch: 3 });
});

test('HALT on a desk that hangs is handed to the app, and reaches the desk when it wakes', async () => {
  const it = await consoleOn();
  it.desk.hangs = true;
  it.halt.now();
  await vi.advanceTimersByTimeAsync(1_600);
  expect([it.halt.phase(), it.app.asked]).toEqual(['asked', 1]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([it.halt.phase(), it.app.asked]).toEqual(['waiting', 1]);
  await it.wake();
  expect(it.store.view().status?.state).toBe('HALTED');
  expect(it.halt.phase()).toBe('idle');
});

test('HALT that is pressed before the desk was ever heard halts it, also where this computer’s clock is behind the desk’s', async () => {
  const aheadMs = 600_000;
  const liveSince = Date.now() + aheadMs - 300_000;
  const it = await consoleOn({ aheadMs, status: { ...LIVE, since: liveSince }, heardMs: 0 });
  expect(it.store.view().status).toBe(null);
  it.halt.now();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([it.store.view().status?.state, it.halt.phase(), it.desk.halts]).toEqual(['HALTED', 'idle', 1]);
});

test('a HALT that another way has carried out is not asked again of the desk that was resumed since', async () => {
  const it = await consoleOn();
  it.desk.hangs = true;
  await vi.advanceTimersByTimeAsync(20_000);
  it.halt.now();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(it.halt.phase()).toBe('waiting');
  // Its process was ended and started again, somebody resumed it, and nothing that was sent to the old one is left.
  it.desk.status = { ...LIVE, since: Date.now(), reason: 'looked at it' };
  const halts = it.desk.halts;
  it.connection.drop(it.connection.line().epoch, 'The desk was started again.');
  it.desk.hangs = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(it.connection.line().state).toBe('connected');
  expect([it.halt.phase(), it.desk.halts]).toEqual(['idle', halts]);
});

test('a HALT that waits for the desk is sent also where somebody has it drained meanwhile: it would sign until that is over', async () => {
  const it = await consoleOn();
  it.desk.hangs = true;
  await vi.advanceTimersByTimeAsync(20_000);
  it.halt.now();
  await vi.advanceTimersByTimeAsync(20_000);
  it.desk.status = { ...LIVE, state: 'DRAIN', since: Date.now(), drainUntil: Date.now() + 600_000 };
  const halts = it.desk.halts;
  it.connection.drop(it.connection.line().epoch, 'The desk was started again.');
  it.desk.hangs = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([it.store.view().status?.state, it.halt.phase(), it.desk.halts]).toEqual(['HALTED', 'idle', halts + 1]);
});

test('a HALT that answered in time is no business of the app', async () => {
  const it = await consoleOn();
  it.halt.now();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([it.halt.phase(), it.app.asked, it.desk.halts]).toEqual(['idle', 0, 1]);
});

test('what stops, goes and comes back within a minute is told once', async () => {
  const { desk, alerts } = await consoleOn();
  const row: Attention = { code: 'off reference 1 A/B', level: 'stop', title: 'A/B is off', detail: '' };
  const told = () => alerts.told().filter(({ kind }) => kind === 'stop').length;
  for (let turns = 0; turns < 20; turns += 1) {
    desk.attention = turns % 2 === 0 ? [row] : [];
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(told()).toBe(1);
  desk.attention = [];
  await vi.advanceTimersByTimeAsync(70_000);
  desk.attention = [row];
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told()).toBe(2);
});
