import { join } from 'node:path';
import { Menu, nativeImage, Tray } from 'electron';
import type { OwnDeskState } from '../contract/desks-elsewhere.ts';

export interface TrayActions {
  halt(): void;
  haltAll(): void;
  showDesks(): void;
  lock(): void;
  show(): void;
  quit(): void;
}

export interface DeskTray {
  show(state: OwnDeskState): void;
  /** What the guard stopped, in the desk's words. */
  showStopped(titles: readonly string[]): void;
  /** How many desks elsewhere are in the list; null where it could not be read. */
  showElsewhere(count: number | null): void;
}

/** Each state has its own shape, not only its colour. */
const ICONS: Record<OwnDeskState, string> = {
  LIVE: 'tray-live',
  DRAIN: 'tray-drain',
  HALTED: 'tray-halted',
  starting: 'tray-unknown',
  waits: 'tray-unknown',
  silent: 'tray-unknown',
  ended: 'tray-unknown',
};

const WORDS: Record<OwnDeskState, string> = {
  LIVE: 'LIVE',
  DRAIN: 'DRAIN',
  HALTED: 'HALTED',
  starting: 'starting',
  waits: 'not open yet, see its window',
  silent: 'the desk does not answer',
  ended: 'the desk is not running',
};

/** How many of what stopped are named. */
const AT_MOST = 5;

/** The desk in the tray: its state, and the stop that is always at hand. */
export function openTray(icons: string, actions: TrayActions): DeskTray {
  const imageOf = (state: OwnDeskState) => nativeImage.createFromPath(join(icons, `${ICONS[state]}.png`));
  const tray = new Tray(imageOf('starting'));
  tray.on('click', actions.show);
  let state: OwnDeskState = 'starting';
  let stopped: readonly string[] = [];
  let elsewhere: number | null = 0;
  const draw = () => {
    tray.setImage(imageOf(state));
    tray.setToolTip(`Makerdesk: ${[WORDS[state], ...stopped.slice(0, AT_MOST)].join('\n')}`);
    tray.setContextMenu(trayMenu({ state, stopped, elsewhere }, actions));
  };
  draw();
  return {
    show: (next) => {
      state = next;
      draw();
    },
    showStopped: (titles) => {
      if (titles.join() === stopped.join()) return;
      stopped = titles;
      draw();
    },
    showElsewhere: (count) => {
      if (count === elsewhere) return;
      elsewhere = count;
      draw();
    },
  };
}

/** Built anew for each state: on Linux a menu that is shown does not change any more. */
function trayMenu(
  { state, stopped, elsewhere }: { state: OwnDeskState; stopped: readonly string[]; elsewhere: number | null },
  actions: TrayActions,
): Menu {
  const haltAll = {
    id: 'halt-all',
    label: elsewhere === null ? 'HALT ALL' : `HALT ALL: this desk and ${elsewhere} elsewhere`,
    click: actions.haltAll,
  };
  return Menu.buildFromTemplate([
    { label: `Makerdesk: ${WORDS[state]}`, enabled: false },
    ...stopped.slice(0, AT_MOST).map((label) => ({ label, click: actions.show })),
    { type: 'separator' },
    { id: 'halt', label: 'Halt', enabled: state !== 'HALTED' && state !== 'ended', click: actions.halt },
    ...(elsewhere === 0 ? [] : [haltAll]),
    {
      id: 'lock',
      label: 'Halt and lock the key',
      enabled: state === 'LIVE' || state === 'DRAIN' || state === 'HALTED',
      click: actions.lock,
    },
    { id: 'show', label: 'Show', click: actions.show },
    { id: 'desks', label: 'Desks elsewhere', click: actions.showDesks },
    { type: 'separator' },
    { id: 'quit', label: 'Quit…', click: actions.quit },
  ]);
}
