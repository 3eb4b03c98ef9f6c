import { join, normalize, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { net, protocol, type Session } from 'electron';
import { originOf } from './origin.ts';

const SCHEME = 'app';

/** Where the console's page lives: a scheme of our own, so that nothing of it is ever a file:// page. */
export const CONSOLE_ORIGIN = `${SCHEME}://makerdesk`;
export const CONSOLE_URL = `${CONSOLE_ORIGIN}/index.html`;

/** The page of the list of desks elsewhere, beside the console's. */
export const DESKS_PAGE = 'desks.html';

/** Everything comes from the app itself; the page reaches the desk over its port and needs no network. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Has to run before the app is ready. */
export function declareConsoleScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built console to the pages of a session, and nothing outside `folder`. */
export function serveConsole(pages: Session, folder: string): void {
  pages.protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url);
    const path = normalize(join(folder, decodeURIComponent(url.pathname)));
    if (originOf(request.url) !== CONSOLE_ORIGIN || request.method !== 'GET' || !path.startsWith(folder + sep))
      return nothing();
    try {
      const file = await net.fetch(pathToFileURL(path).href, { bypassCustomProtocolHandlers: true });
      const type = file.headers.get('content-type') ?? 'application/octet-stream';
      return new Response(file.body, { headers: { ...HEADERS, 'content-type': type } });
    } catch {
      return nothing();
    }
  });
}

function nothing(): Response {
  return new Response('There is nothing here.', { status: 404, headers: { ...HEADERS, 'content-type': 'text/plain' } });
}
