import { useSyncExternalStore } from 'react';

/** What can trip, most urgent first. */
export const ALERT_KINDS = ['halt', 'stop', 'line', 'look'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export interface AlertSetting {
  desktop: boolean;
  sound: boolean;
  /** Silent until this moment, Unix milliseconds; null: not silenced. */
  silentUntil: number | null;
}

export type AlertSettings = Readonly<Record<AlertKind, AlertSetting>>;

const KEPT = 'makerdesk.alerts';
const USUAL: AlertSettings = {
  halt: { desktop: true, sound: true, silentUntil: null },
  stop: { desktop: true, sound: true, silentUntil: null },
  line: { desktop: true, sound: true, silentUntil: null },
  look: { desktop: false, sound: false, silentUntil: null },
};

const listeners = new Set<() => void>();
let settings: AlertSettings | null = null;

/** How each kind is told on this computer. */
export function alertSettings(): AlertSettings {
  settings ??= readKept(localStorage.getItem(KEPT));
  return settings;
}

export function setAlert(kind: AlertKind, change: Partial<AlertSetting>): void {
  const known = alertSettings();
  settings = { ...known, [kind]: { ...known[kind], ...change } };
  localStorage.setItem(KEPT, JSON.stringify(settings));
  for (const listener of [...listeners]) listener();
}

export function useAlertSettings(): AlertSettings {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, alertSettings);
}

/** Reads what was kept, kind by kind: what is missing or of another form is as usual. */
export function readKept(text: string | null): AlertSettings {
  const kept = parse(text);
  const settingOf = (kind: AlertKind): AlertSetting => {
    const given = kept[kind];
    if (typeof given !== 'object' || given === null) return USUAL[kind];
    const { desktop, sound, silentUntil } = given as Record<string, unknown>;
    return {
      desktop: typeof desktop === 'boolean' ? desktop : USUAL[kind].desktop,
      sound: typeof sound === 'boolean' ? sound : USUAL[kind].sound,
      silentUntil: typeof silentUntil === 'number' ? silentUntil : null,
    };
  };
  return { halt: settingOf('halt'), stop: settingOf('stop'), line: settingOf('line'), look: settingOf('look') };
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    return typeof read === 'object' && read !== null ? { ...read } : {};
  } catch {
    return {};
  }
}
