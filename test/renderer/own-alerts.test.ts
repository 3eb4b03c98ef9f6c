import { afterEach, expect, test, vi } from 'vitest';
import { alertKindSchema, USUAL_ALERTS } from '../../electron/contract/alert-settings.ts';
import type { Attention } from '../../electron/contract/desk-view.ts';
import type { Status } from '../../electron/contract/trading.ts';
import { openAlerts } from '../../renderer/state/alerts.ts';
import { followOwnAlerts, isTold, setOwnAlert } from '../../renderer/state/own-alerts.ts';

/** A window with a storage of its own, and what its other windows store. */
function pageWith(kept: Record<string, string> = {}) {
  const stored = new Map(Object.entries(kept));
  const listeners: ((event: { key: string | null; newValue: string | null }) => void)[] = [];
  followOwnAlerts({
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    },
    addEventListener: (_type: string, listener: (typeof listeners)[number]) => void listeners.push(listener),
  } as unknown as Window);
  const elsewhere = (key: string, newValue: string | null) => {
    for (const listener of listeners) listener({ key, newValue });
  };
  return { stored, elsewhere };
}

afterEach(() => vi.unstubAllGlobals());

/** A console that hears what trips, on a computer that counts what it shows and sounds. */
function consoleOn() {
  const computer = { shown: [] as string[], sounded: 0 };
  class Notice {
    static readonly permission = 'granted';
    constructor(title: string) {
      computer.shown.push(title);
    }
  }
  class Sounds {
    constructor() {
      computer.sounded += 1;
      throw new Error('there is no loudspeaker here');
    }
  }
  vi.stubGlobal('Notification', Notice);
  vi.stubGlobal('AudioContext', Sounds);
  const status: Status = { state: 'LIVE', reason: null, actor: null, since: 1, drainUntil: null, chains: [] };
  const view = { status, attention: [] as Attention[], alerts: USUAL_ALERTS };
  const listeners: (() => void)[] = [];
  const desk = {
    view: () => view,
    now: () => 1_000_000,
    subscribe: (listener: () => void) => listeners.push(listener),
  };
  const connection = { line: () => ({ state: 'connected', heardAt: 0 }), subscribe: () => {} };
  const alerts = openAlerts(...([connection, desk, { show: () => {} }] as unknown as Parameters<typeof openAlerts>));
  const trip = (code: string, level: Attention['level'], covers?: string[]) => {
    view.attention = [
      ...view.attention.filter((row) => row.code !== code),
      { code, level, title: code, detail: '', covers },
    ];
    for (const listener of listeners) listener();
  };
  return { computer, alerts, trip };
}

test('what trips is shown and heard as this computer has it, whatever is set for everybody', () => {
  pageWith({
    'makerdesk.alerts.stop.desktop': 'off',
    'makerdesk.alerts.stop.sound': 'off',
    'makerdesk.alerts.look.desktop': 'on',
  });
  const { computer, alerts, trip } = consoleOn();
  trip('node 1', 'stop');
  trip('a witness', 'look');
  expect(computer).toEqual({ shown: ['a witness'], sounded: 0 });
  expect(alerts.told().map(({ code, shown }) => [code, shown])).toEqual([
    ['a witness', 'shown'],
    ['node 1', 'off'],
  ]);
  pageWith({ 'makerdesk.alerts.look.sound': 'on' });
  expect(() => trip('another', 'look')).toThrow('no loudspeaker');
});

test('what becomes more is shown anew at once, and once', () => {
  pageWith({ 'makerdesk.alerts.stop.sound': 'off' });
  const { computer, trip } = consoleOn();
  for (const covers of [['A'], ['A'], ['A', 'B'], ['A'], ['B', 'A']]) trip('reference 1', 'stop', covers);
  expect(computer.shown).toHaveLength(2);
});

const [on, off] = [
  { desktop: true, sound: true },
  { desktop: false, sound: false },
];

test('without a choice, and with one that is none, a computer tells as everybody does', () => {
  pageWith({ 'makerdesk.alerts.halt.sound': 'loud' });
  for (const kind of alertKindSchema.options) {
    for (const telling of ['desktop', 'sound'] as const) {
      expect([isTold(kind, telling, on), isTold(kind, telling, off)]).toEqual([true, false]);
    }
  }
});

test('a choice counts for its kind and its telling alone, over what is set for everybody, and is kept on this computer', () => {
  const { stored } = pageWith();
  setOwnAlert('look', 'desktop', 'on');
  setOwnAlert('halt', 'sound', 'off');
  expect([isTold('look', 'desktop', off), isTold('look', 'sound', off)]).toEqual([true, false]);
  expect([isTold('halt', 'sound', on), isTold('halt', 'desktop', on), isTold('stop', 'sound', on)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(Object.fromEntries(stored)).toEqual({
    'makerdesk.alerts.look.desktop': 'on',
    'makerdesk.alerts.halt.sound': 'off',
  });
  setOwnAlert('halt', 'sound', 'desk');
  expect([isTold('halt', 'sound', on), isTold('halt', 'sound', off)]).toEqual([true, false]);
});

test('what another window of this computer chooses counts in this one too', () => {
  const { elsewhere } = pageWith();
  elsewhere('makerdesk.alerts.stop.desktop', 'off');
  expect(isTold('stop', 'desktop', on)).toBe(false);
  elsewhere('makerdesk.alerts.stop.desktop', null);
  expect(isTold('stop', 'desktop', on)).toBe(true);
});
