import { BrowserWindow } from 'electron';

/** Crashes of a page within this time that are answered by a reload; one more is not. */
const CRASH_WINDOW_MS = 60_000;
const CRASHES_FORGIVEN = 3;

export interface ConsoleWindow {
  /** Opens the window, or brings it to the front. */
  show(): void;
  /** The open window, or null: then the desk runs in the tray alone. */
  current(): BrowserWindow | null;
}

/** The one window of the app. Closing it leaves the desk running; `crashed` is told when reloading its page does not help. */
export function consoleWindow(options: {
  url: string;
  preload: string;
  icon: string;
  crashed: (reason: string) => void;
}): ConsoleWindow {
  let window: BrowserWindow | null = null;
  const open = () => {
    const opened = new BrowserWindow({
      width: 1280,
      height: 800,
      minWidth: 1024,
      minHeight: 640,
      show: false,
      backgroundColor: '#0d1013',
      icon: options.icon,
      title: 'Makerdesk',
      webPreferences: {
        preload: options.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false,
      },
    });
    window = opened;
    opened.once('ready-to-show', () => opened.show());
    opened.once('closed', () => {
      window = null;
    });
    reloadAfterCrashes(opened, options.crashed);
    void opened.loadURL(options.url);
  };
  return {
    show: () => {
      if (window === null) return open();
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    current: () => window,
  };
}

/** A page that broke off is loaded again; the desk has not noticed any of it. */
function reloadAfterCrashes(window: BrowserWindow, crashed: (reason: string) => void): void {
  let crashes: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    const now = Date.now();
    crashes = [...crashes.filter((time) => now - time < CRASH_WINDOW_MS), now];
    if (crashes.length > CRASHES_FORGIVEN) crashed(reason);
    else window.webContents.reload();
  });
}
