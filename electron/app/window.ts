import { BrowserWindow, type Session, screen, type WebContents, type WebPreferences } from 'electron';
import {
  type Box,
  boxOnDisplays,
  LEAST_SIZE,
  MOST_WINDOWS,
  pageSchema,
  readPlaces,
  type WindowPlace,
  writePlaces,
} from './window-place.ts';

/** Crashes of a page within this time that are answered by a reload; one more is not. */
const CRASH_WINDOW_MS = 60_000;
const CRASHES_FORGIVEN = 3;

/** A window that is moved or changes its page is written down when that rested for so long. Milliseconds. */
const REST_MS = 400;

/** By so much a further window lies below and beside the one it came from. Points. */
const STEP = 32;

const USUAL = { width: 1_280, height: 800 } as const;

/** What holds of every page of the app: it runs in a sandbox, apart from the preload, and is of this session. */
export function pagePreferences(preload: string, pages: Session): WebPreferences {
  return {
    preload,
    session: pages,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  };
}

export interface ConsoleWindows {
  /** Brings the windows to the front, the last used one foremost; where none is open, those that were open last. */
  show(): void;
  /** Opens one more window: at a page of the console, or at the page of the one in front. */
  open(page?: string): void;
  /** The pages that are shown; none while the desk runs in the tray alone. */
  pages(): WebContents[];
  /** The app quits: windows that close now are there again at the next start. */
  keep(): void;
  /** Closes them all. */
  close(): void;
}

/**
 * The windows of the app, each on a page of the console with a line of its own to the desk. Closing them leaves the desk
 * running; `crashed` is told when reloading a page does not help. `places` is the file that says where they were.
 */
export function consoleWindows(options: {
  url: string;
  preferences: WebPreferences;
  icon: string;
  /** Until its page says more. */
  title: string;
  places: string;
  crashed: (reason: string) => void;
}): ConsoleWindows {
  /** The last used one comes last; each with the page it shows, which its address says only once it is loaded. */
  let windows: { window: BrowserWindow; page: string }[] = [];
  /** Where each is, and the last one that was closed: it opens again where it was. */
  let places = readPlaces(options.places);
  let kept = false;
  let resting: NodeJS.Timeout | undefined;

  const write = () => {
    clearTimeout(resting);
    if (kept) return;
    if (windows.length > 0) places = windows.map(placeOf);
    writePlaces(options.places, places);
  };
  const rest = () => {
    clearTimeout(resting);
    resting = setTimeout(write, REST_MS);
  };
  const openAt = ({ page, box, maximized }: Omit<WindowPlace, 'box'> & { box: Box | null }) => {
    const opened = new BrowserWindow({
      width: USUAL.width,
      height: USUAL.height,
      ...(box !== null && boxOnDisplays(box, displays())),
      minWidth: LEAST_SIZE.width,
      minHeight: LEAST_SIZE.height,
      show: false,
      backgroundColor: '#0d1013',
      icon: options.icon,
      title: options.title,
      webPreferences: options.preferences,
    });
    const shown = { window: opened, page };
    windows.push(shown);
    opened.once('ready-to-show', () => {
      if (maximized) opened.maximize();
      opened.show();
    });
    opened.on('focus', () => {
      windows = [...windows.filter((other) => other !== shown), shown];
    });
    opened.on('resize', rest);
    opened.on('move', rest);
    opened.webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
      const next = pageSchema.safeParse(url.split('#')[1]);
      if (isMainFrame) shown.page = next.data ?? '/';
      rest();
    });
    opened.once('close', write);
    opened.once('closed', () => {
      windows = windows.filter((other) => other !== shown);
      write();
    });
    reloadAfterCrashes(opened, options.crashed);
    void opened.loadURL(page === '/' ? options.url : `${options.url}#${page}`);
  };
  return {
    show: () => {
      if (windows.length === 0) {
        const first = { page: '/', box: null, maximized: false };
        for (const place of places.length === 0 ? [first] : places) openAt(place);
        return;
      }
      for (const { window } of windows) {
        if (window.isMinimized()) window.restore();
        window.show();
      }
      windows.at(-1)?.window.focus();
    },
    open: (page) => {
      if (windows.length >= MOST_WINDOWS) return;
      const front = windows.at(-1);
      const from = front === undefined ? places.at(-1) : placeOf(front);
      const box = from === undefined ? null : { ...from.box, x: from.box.x + STEP, y: from.box.y + STEP };
      openAt({ page: page ?? from?.page ?? '/', box, maximized: false });
    },
    pages: () => windows.map(({ window }) => window.webContents),
    keep: () => {
      write();
      kept = true;
    },
    close: () => {
      for (const { window } of [...windows]) window.destroy();
    },
  };
}

function placeOf({ window, page }: { window: BrowserWindow; page: string }): WindowPlace {
  return { page, box: window.getNormalBounds(), maximized: window.isMaximized() };
}

/** The parts of the displays that windows may use, the main one first. */
function displays(): Box[] {
  const main = screen.getPrimaryDisplay();
  return [main, ...screen.getAllDisplays().filter(({ id }) => id !== main.id)].map(({ workArea }) => workArea);
}

/** A page that broke off is loaded again; the desk has not noticed any of it. */
export function reloadAfterCrashes(window: BrowserWindow, crashed: (reason: string) => void): void {
  let crashes: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    const now = Date.now();
    crashes = [...crashes.filter((time) => now - time < CRASH_WINDOW_MS), now];
    if (crashes.length > CRASHES_FORGIVEN) crashed(reason);
    else window.webContents.reload();
  });
}
