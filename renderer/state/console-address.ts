/** Where the desk is reached: over the port that the desktop app hands in, or over a WebSocket that needs a token. */
export type ConsoleAddress = { kind: 'port' } | { kind: 'websocket'; url: string };

const KEPT = 'makerdesk.token';

/** Reads `#token` or `#token?actor=NAME`, as the desk prints it; null where the hash is one of our own pages. */
export function readTokenHash(hash: string): { token: string; actor: string | null } | null {
  const text = hash.replace(/^#/, '');
  if (text === '' || text.startsWith('/')) return null;
  const [token = '', query = ''] = text.split('?');
  return { token: decodeURIComponent(token), actor: new URLSearchParams(query).get('actor') };
}

/** The address of the desk's socket. `host` is where the console came from. */
export function socketUrl(host: string, secure: boolean, token: string, actor: string | null): string {
  const query = new URLSearchParams({ token, ...(actor === null ? {} : { actor }) });
  return `${secure ? 'wss' : 'ws'}://${host}/rpc?${query}`;
}

/**
 * Takes the token out of the address, so that it is in no screenshot and no bookmark, and keeps it for this tab only, so
 * that a reload still finds the desk. Without any token the desktop app is expected to hand in a port.
 */
export function takeConsoleAddress(page: Window): ConsoleAddress {
  const given = readTokenHash(page.location.hash);
  if (given !== null) {
    page.sessionStorage.setItem(KEPT, JSON.stringify(given));
    page.history.replaceState(null, '', `${page.location.pathname}${page.location.search}#/`);
  }
  const kept = given ?? readKept(page.sessionStorage.getItem(KEPT));
  if (kept === null) return { kind: 'port' };
  const secure = page.location.protocol === 'https:';
  return { kind: 'websocket', url: socketUrl(page.location.host, secure, kept.token, kept.actor) };
}

function readKept(text: string | null): { token: string; actor: string | null } | null {
  if (text === null) return null;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || !('token' in read) || typeof read.token !== 'string') return null;
    return { token: read.token, actor: 'actor' in read && typeof read.actor === 'string' ? read.actor : null };
  } catch {
    return null;
  }
}
