import { useSyncExternalStore } from 'react';
import { type AlertKind, type AlertSetting, alertKindSchema } from '../../electron/contract/alert-settings.ts';
import { type KeptChoice, keptChoice } from './kept-choice.ts';

/** How this computer tells a kind of alert: as it is set for everybody, or whatever is set there. */
export type OwnWish = 'desk' | 'on' | 'off';
/** What a computer can do beside the screen. */
export type Telling = 'desktop' | 'sound';

function wish(kind: AlertKind, telling: Telling): KeptChoice<OwnWish> {
  return keptChoice(`makerdesk.alerts.${kind}.${telling}`, (kept) => (kept === 'on' || kept === 'off' ? kept : 'desk'));
}

const WISHES = Object.fromEntries(
  alertKindSchema.options.map((kind) => [kind, { desktop: wish(kind, 'desktop'), sound: wish(kind, 'sound') }]),
) as Record<AlertKind, Record<Telling, KeptChoice<OwnWish>>>;

/** Reads what was chosen on this computer, and follows what its other windows choose. */
export function followOwnAlerts(page: Parameters<KeptChoice<OwnWish>['follow']>[0]): void {
  for (const { desktop, sound } of Object.values(WISHES)) {
    desktop.follow(page);
    sound.follow(page);
  }
}

export function setOwnAlert(kind: AlertKind, telling: Telling, wished: OwnWish): void {
  WISHES[kind][telling].set(wished);
}

export function useOwnAlert(kind: AlertKind, telling: Telling): OwnWish {
  const { subscribe, now } = WISHES[kind][telling];
  return useSyncExternalStore(subscribe, now);
}

/** Whether this computer tells a kind so, given what is set for everybody. */
export function isTold(kind: AlertKind, telling: Telling, setting: Pick<AlertSetting, Telling>): boolean {
  const wished = WISHES[kind][telling].now();
  return wished === 'desk' ? setting[telling] : wished === 'on';
}
