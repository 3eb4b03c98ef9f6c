import { join } from 'node:path';
import { type Session, session, type WebContents } from 'electron';
import { ELSEWHERE } from '../contract/console-port.ts';
import { type ConsoleWindows, consoleWindows, pagePreferences } from './window.ts';

/** The windows on desks elsewhere: the app's own console, each on one desk for good. */
export interface ElsewhereWindows {
  /** Brings the windows of a desk to the front, or opens one. */
  show(name: string): void;
  /** One more window on the same desk as this page; false where it shows none of them. */
  openBeside(from: WebContents, page: string): boolean;
  /** Which desk a page shows; null where it is none of these. */
  deskOf(contents: WebContents): string | null;
  /** Closes what shows this desk. */
  close(name: string): void;
}

/**
 * What a page keeps, and what pages say to each other, stays with its desk: each has a session of its own, which `prepare` fences
 * in and serves the console to.
 */
export function elsewhereWindows(options: {
  url: string;
  preload: string;
  icon: string;
  /** Where it is written where each window was. */
  folder: string;
  prepare: (pages: Session) => void;
  crashed: (reason: string) => void;
}): ElsewhereWindows {
  const byDesk = new Map<string, ConsoleWindows>();
  const windowsOf = (name: string): ConsoleWindows => {
    const known = byDesk.get(name);
    if (known !== undefined) return known;
    const pages = session.fromPartition(`persist:elsewhere-${name}`);
    options.prepare(pages);
    const windows = consoleWindows({
      url: `${options.url}?${ELSEWHERE}=${name}`,
      preferences: pagePreferences(options.preload, pages),
      icon: options.icon,
      title: `${name} · Makerdesk`,
      places: join(options.folder, `windows-elsewhere-${name}.json`),
      crashed: options.crashed,
    });
    byDesk.set(name, windows);
    return windows;
  };
  const deskOf = (contents: WebContents) =>
    [...byDesk].find(([, windows]) => windows.pages().includes(contents))?.[0] ?? null;
  return {
    show: (name) => windowsOf(name).show(),
    openBeside: (from, page) => {
      const name = deskOf(from);
      if (name === null) return false;
      windowsOf(name).open(page);
      return true;
    },
    deskOf,
    close: (name) => byDesk.get(name)?.close(),
  };
}
