import { app, type Session, session, type WebContents } from 'electron';
import { CONSOLE_ORIGIN } from './console-scheme.ts';
import { originOf } from './origin.ts';
import { pageSchema } from './window-place.ts';

/** What a page may ask for: "copy" buttons write text to the clipboard, and alerts are shown by the operating system. */
const ALLOWED_PERMISSIONS = new Set(['clipboard-sanitized-write', 'notifications']);

/**
 * What no page of the app may do, whatever is in it: leave the console, open windows, embed others, get permissions,
 * load anything from a network. `pageOrigin` is where the console comes from. Where it asks for a window on one of the
 * console's own pages, `openPage` is told which and by whom; the window is the app's own, behind the same fences.
 */
export function fenceIn(pageOrigin: string, openPage: (from: WebContents, page: string) => void): void {
  fenceSession(session.defaultSession, pageOrigin);
  app.on('web-contents-created', (_event, contents) => {
    fenceContents(contents);
    contents.setWindowOpenHandler(({ url }) => {
      const page = pageSchema.safeParse(url.split('#')[1]);
      if (originOf(url) === pageOrigin && page.success) openPage(contents, page.data);
      return { action: 'deny' };
    });
  });
}

/** The same for the pages of a session: each has its own. */
export function fenceSession(pages: Session, pageOrigin: string): void {
  const allowed = (permission: string, origin: string) =>
    ALLOWED_PERMISSIONS.has(permission) && originOf(origin) === pageOrigin;
  pages.setPermissionCheckHandler((_contents, permission, origin) => allowed(permission, origin));
  pages.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(allowed(permission, details.requestingUrl)),
  );
  pages.setDevicePermissionHandler(() => false);
  pages.webRequest.onBeforeRequest((request, answer) => answer({ cancel: !isOurs(request.url, pageOrigin) }));
}

function fenceContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** The console's own files, what it makes itself for a download, its development server, and the developer tools. */
function isOurs(url: string, pageOrigin: string): boolean {
  const { protocol } = new URL(url);
  if (['blob:', 'data:', 'devtools:'].includes(protocol)) return true;
  if (originOf(url) === pageOrigin) return true;
  return pageOrigin !== CONSOLE_ORIGIN && url.startsWith(pageOrigin.replace(/^http/, 'ws'));
}
