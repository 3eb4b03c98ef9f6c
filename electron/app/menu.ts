import { Menu, type MenuItemConstructorOptions } from 'electron';
import { HALT_KEYS } from './hotkeys.ts';

const WINDOW_KEYS = 'CommandOrControl+Shift+O';

/** The application menu. The developer tools are there while the app is not packaged. */
export function setMenu(
  actions: { halt(): void; haltAll(): void; showDesks(): void; show(): void; open(): void; quit(): void },
  packaged: boolean,
): void {
  const tools: MenuItemConstructorOptions[] = packaged ? [] : [{ type: 'separator' }, { role: 'toggleDevTools' }];
  const desk: MenuItemConstructorOptions = {
    label: process.platform === 'darwin' ? 'Makerdesk' : 'Desk',
    submenu: [
      { id: 'halt', label: 'Halt', accelerator: HALT_KEYS, click: actions.halt },
      { id: 'halt-all', label: 'HALT ALL, this desk and those elsewhere', click: actions.haltAll },
      { type: 'separator' },
      { id: 'show', label: 'Show the console', click: actions.show },
      { id: 'desks', label: 'Desks elsewhere', click: actions.showDesks },
      // The page itself hears these keys, as in a browser; the menu only says them.
      {
        id: 'open',
        label: 'New window',
        accelerator: WINDOW_KEYS,
        registerAccelerator: false,
        click: actions.open,
      },
      { type: 'separator' },
      { id: 'quit', label: 'Quit…', accelerator: 'CommandOrControl+Q', click: actions.quit },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      { role: 'reload' },
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
      ...tools,
    ],
  };
  Menu.setApplicationMenu(Menu.buildFromTemplate([desk, { role: 'editMenu' }, view, { role: 'windowMenu' }]));
}
