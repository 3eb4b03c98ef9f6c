import { ELSEWHERE } from '../../electron/contract/console-port.ts';
import { deskNameSchema } from '../../electron/contract/desk-list.ts';

/** Where the desk is reached: over the port that the desktop app hands in, or over a WebSocket that needs a token. */
export type ConsoleAddress = { kind: 'port' } | { kind: 'websocket'; url: string; token: string };

const KEPT = 'makerdesk.token';

/** The desk elsewhere whose console this is, as the app names it behind `?`; null where it names none. */
export function elsewhereIn(search: string): string | null {
  return deskNameSchema.safeParse(new URLSearchParams(search).get(ELSEWHERE)).data ?? null;
}

/** What the part behind `#` of a desk's address says. */
interface TokenHash {
  token: string;
  actor: string | null;
  /** The path of the page to begin with. */
  page: string | null;
}

/** Reads `#token` or `#token?actor=NAME&page=PATH`, as the desk prints it; null where the hash is one of our own pages. */
export function readTokenHash(hash: string): TokenHash | null {
  const text = hash.replace(/^#/, '');
  if (text === '' || text.startsWith('/')) return null;
  const [token = '', query = ''] = text.split('?');
  const asked = new URLSearchParams(query);
  const page = asked.get('page');
  return {
    token: decodeURIComponent(token),
    actor: asked.get('actor'),
    page: page !== null && /^\/[a-z-]*$/.test(page) ? page : null,
  };
}

/** The address of another desk's console, as it printed it, at one of its pages. */
export function consoleAt(address: string, page: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ page })}`;
}

/** The address of the desk's socket. `host` is where the console came from. */
export function socketUrl(host: string, secure: boolean, actor: string | null): string {
  const query = actor === null ? '' : `?${new URLSearchParams({ actor })}`;
  return `${secure ? 'wss' : 'ws'}://${host}/rpc${query}`;
}

/**
 * Takes the token out of the address, so that it is in no screenshot and no bookmark, and keeps it for this tab only, so
 * that a reload still finds the desk. Without any token the desktop app is expected to hand in a port.
 */
export function takeConsoleAddress(page: Window): ConsoleAddress {
  const given = readTokenHash(page.location.hash);
  if (given !== null) {
    const { token, actor } = given;
    page.sessionStorage.setItem(KEPT, JSON.stringify({ token, actor }));
    page.history.replaceState(null, '', `${page.location.pathname}${page.location.search}#${given.page ?? '/'}`);
  }
  const kept = given ?? readKept(page.sessionStorage.getItem(KEPT));
  if (kept === null) return { kind: 'port' };
  const secure = page.location.protocol === 'https:';
  return { kind: 'websocket', url: socketUrl(page.location.host, secure, kept.actor), token: kept.token };
}

/** What tabs of one desk say to each other. */
type TabMessage = { kind: 'asks' } | { kind: 'answers'; kept: string };

/**
 * A tab that was opened without a token (a link opened in a new tab, a bookmark) asks the others of the same desk for theirs,
 * and begins anew with it; one that has a token answers. Only pages from the same address hear each other, and nothing is written
 * where it would outlive the tabs. In the desktop app nobody answers, and nobody needs to.
 */
export function shareToken(page: Window): void {
  const channel = new BroadcastChannel(KEPT);
  const say = (message: TabMessage) => channel.postMessage(message);
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    const kept = page.sessionStorage.getItem(KEPT);
    if (data.kind === 'asks' && kept !== null) say({ kind: 'answers', kept });
    if (data.kind !== 'answers' || kept !== null || readKept(data.kept) === null) return;
    page.sessionStorage.setItem(KEPT, data.kept);
    page.location.reload();
  });
  if (page.sessionStorage.getItem(KEPT) === null) say({ kind: 'asks' });
}

function readKept(text: string | null): Pick<TokenHash, 'token' | 'actor'> | null {
  if (text === null) return null;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || !('token' in read) || typeof read.token !== 'string') return null;
    return { token: read.token, actor: 'actor' in read && typeof read.actor === 'string' ? read.actor : null };
  } catch {
    return null;
  }
}
