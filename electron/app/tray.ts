import { join } from 'node:path';
import { Menu, nativeImage, Tray } from 'electron';
import type { DeskState } from './state-watch.ts';

export interface TrayActions {
  halt(): void;
  lock(): void;
  show(): void;
  quit(): void;
}

export interface DeskTray {
  show(state: DeskState): void;
  /** What the guard stopped, in the desk's words. */
  showStopped(titles: readonly string[]): void;
}

/** Each state has its own shape, not only its colour. */
const ICONS: Record<DeskState, string> = {
  LIVE: 'tray-live',
  DRAIN: 'tray-drain',
  HALTED: 'tray-halted',
  starting: 'tray-unknown',
  waits: 'tray-unknown',
  silent: 'tray-unknown',
  ended: 'tray-unknown',
};

const WORDS: Record<DeskState, string> = {
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
  const imageOf = (state: DeskState) => nativeImage.createFromPath(join(icons, `${ICONS[state]}.png`));
  const tray = new Tray(imageOf('starting'));
  tray.on('click', actions.show);
  let state: DeskState = 'starting';
  let stopped: readonly string[] = [];
  const draw = () => {
    tray.setImage(imageOf(state));
    tray.setToolTip(`Makerdesk: ${[WORDS[state], ...stopped.slice(0, AT_MOST)].join('\n')}`);
    tray.setContextMenu(trayMenu(state, actions, stopped));
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
  };
}

/** Built anew for each state: on Linux a menu that is shown does not change any more. */
export function trayMenu(state: DeskState, actions: TrayActions, stopped: readonly string[]): Menu {
  return Menu.buildFromTemplate([
    { label: `Makerdesk: ${WORDS[state]}`, enabled: false },
    ...stopped.slice(0, AT_MOST).map((label) => ({ label, click: actions.show })),
    { type: 'separator' },
    { id: 'halt', label: 'Halt', enabled: state !== 'HALTED' && state !== 'ended', click: actions.halt },
    {
      id: 'lock',
      label: 'Halt and lock the key',
      enabled: state === 'LIVE' || state === 'DRAIN' || state === 'HALTED',
      click: actions.lock,
    },
    { id: 'show', label: 'Show', click: actions.show },
    { type: 'separator' },
    { id: 'quit', label: 'Quit…', click: actions.quit },
  ]);
}
