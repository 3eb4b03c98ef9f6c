import { type AlertKind, isSilenced } from '../../electron/contract/alert-settings.ts';
import { ageText } from '../components/figures/times.ts';
import { type Alert, alertsBetween, keysOf, loudOf, type Watched } from './alert-changes.ts';
import type { Connection } from './connection.ts';
import type { DeskStore } from './desk-store.ts';
import { createEmitter } from './emitter.ts';
import type { OneOfAll } from './one-of-all.ts';
import { isTold } from './own-alerts.ts';
import type { ToastStore } from './toasts.ts';

/** An alert as it was told: `shown` says whether the computer itself showed it. Unix milliseconds by the desk's clock. */
export interface ToldAlert extends Alert {
  id: number;
  at: number;
  shown: 'shown' | 'silenced' | 'off' | 'not allowed' | 'in another window';
}

export interface AlertStore {
  /** Newest first. */
  told(): readonly ToldAlert[];
  subscribe(listener: () => void): () => void;
}

const KEPT = 50;

/** What was wrong this short a time ago, and is wrong again, is no news. */
const AGAIN_MS = 60_000;

/**
 * Tells what trips, by kind, as it is set for the desk and on this computer: a line on the screen always, a notification and a
 * sound if wanted, and these in one of its windows only.
 */
export function openAlerts(
  connection: Connection,
  desk: DeskStore,
  toasts: ToastStore,
  one: OneOfAll = { acts: () => true },
): AlertStore {
  const { subscribe, emit } = createEmitter();
  let told: readonly ToldAlert[] = [];
  const look = (): Watched => {
    const { status, attention } = desk.view();
    return { status, attention, line: connection.line().state };
  };
  let before = look();

  const tell = (alert: Alert) => {
    const setting = desk.view().alerts[alert.kind];
    const silenced = isSilenced(setting, desk.now());
    const here = one.acts();
    const shown = silenced
      ? 'silenced'
      : here
        ? notify(alert, isTold(alert.kind, 'desktop', setting))
        : 'in another window';
    if (!silenced && here && isTold(alert.kind, 'sound', setting)) sound(alert.kind);
    // The halt has its own page, and the lost line its own note: a line more would only stand before them.
    if (!silenced && alert.kind !== 'halt' && alert.kind !== 'line') {
      const { title, detail } = alert;
      toasts.show({ level: alert.kind === 'stop' ? 'stop' : 'look', title, detail, isAlert: true });
    }
    const id = (told[0]?.id ?? 0) + 1;
    told = [{ ...alert, id, at: desk.now(), shown }, ...told].slice(0, KEPT);
  };
  let heardAt: number | null = null;
  /** When each row, with what it covers, was last there, so that one that comes and goes is news once. */
  const seenAt = new Map<string, number>();
  const isNews = (alert: Alert) => {
    if (alert.kind === 'halt') return true;
    if (alert.kind === 'line') return heardAt !== null; // a line that comes up for the first time is not back
    return keysOf(alert.kind, alert).some((key) => desk.now() - (seenAt.get(key) ?? 0) > AGAIN_MS);
  };
  const compare = () => {
    const now = look();
    const found = alertsBetween(before, now, ageText(Date.now() - (heardAt ?? Date.now()))).filter(isNews);
    heardAt = connection.line().heardAt;
    if (now.line === 'connected') {
      for (const key of loudOf(now).flatMap((row) => keysOf(row.level, row))) seenAt.set(key, desk.now());
    }
    before = now;
    for (const alert of found) tell(alert);
    if (found.length > 0) emit();
  };
  desk.subscribe(compare);
  connection.subscribe(compare);
  return {
    told: () => told,
    subscribe,
  };
}

function notify(
  { title, detail, code, covers = [] }: Pick<Alert, 'title' | 'detail' | 'code' | 'covers'>,
  wanted: boolean,
): ToldAlert['shown'] {
  if (!wanted) return 'off';
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return 'not allowed';
  // One with the tag of another takes its place without a sound.
  new Notification(title, { body: detail, tag: [code, ...covers].join(' ') });
  return 'shown';
}

/** Shows and sounds a kind as this computer would, whatever is set. Returns what became of the notification. */
export function tryAlert(kind: AlertKind, name: string): ToldAlert['shown'] {
  sound(kind);
  return notify({ title: name, detail: 'This is a test: nothing happened.', code: 'try' }, true);
}

/** Each kind has a figure of its own: hertz, one after another. */
const FIGURES: Record<AlertKind, readonly number[]> = {
  halt: [880, 660, 880, 660],
  stop: [660, 660, 660],
  line: [440, 330],
  look: [520],
};
const TONE_S = 0.16;
const LOUDNESS = 0.15;

let context: AudioContext | null = null;

/** Plays the figure of a kind. A page that nobody has touched yet may not sound; then nothing is heard. */
export function sound(kind: AlertKind): void {
  context ??= new AudioContext();
  void context.resume().catch(() => {});
  const begin = context.currentTime;
  for (const [index, hertz] of FIGURES[kind].entries()) {
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    tone.type = 'triangle';
    tone.frequency.value = hertz;
    const from = begin + index * TONE_S;
    gain.gain.setValueAtTime(LOUDNESS, from);
    gain.gain.exponentialRampToValueAtTime(0.001, from + TONE_S * 0.95);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + TONE_S);
  }
}
