import { BrowserWindow, type WebContents, type WebPreferences } from 'electron';
import { reloadAfterCrashes } from './window.ts';

const SIZE = { width: 1_040, height: 640, minWidth: 720, minHeight: 360 } as const;

/** The window with the list of desks elsewhere, one at most. */
export interface DesksWindow {
  show(): void;
  /** Its page; null while it is closed. */
  page(): WebContents | null;
}

/** It has no console in it, so that it is there while the app's own desk hangs, is locked or is gone. */
export function desksWindow(options: {
  url: string;
  preferences: WebPreferences;
  icon: string;
  crashed: (reason: string) => void;
}): DesksWindow {
  let window: BrowserWindow | null = null;
  const open = () => {
    const opened = new BrowserWindow({
      ...SIZE,
      show: false,
      backgroundColor: '#0d1013',
      icon: options.icon,
      title: 'Desks',
      webPreferences: options.preferences,
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
    page: () => window?.webContents ?? null,
  };
}
