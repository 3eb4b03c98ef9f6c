import { isSafeFromOthers } from '../protocol/loopback.ts';

/**
 * How a console says who it is as it opens its WebSocket: as one of the protocols that it offers, for a browser can send no
 * header of its own, and addresses are written into the logs of proxies.
 */

/** Where a console is: an address without a path or a token, https or of this machine. Null where a text is none. */
export function consoleOrigin(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.href === `${url.origin}/` && !text.includes('#') && !text.includes('?');
  return isPlain && /^https?:$/.test(url.protocol) && isSafeFromOthers(text) ? url : null;
}

/** What console and desk speak, the protocol that the desk chooses. */
export const CONSOLE_PROTOCOL = 'makerdesk';

const TOKEN_PREFIX = 'makerdesk.token.';

/** The protocols that a console with this token offers. A token that cannot be one of a desk is sent as none that counts. */
export function offeredProtocols(token: string): string[] {
  return [CONSOLE_PROTOCOL, `${TOKEN_PREFIX}${token.replace(/[^\w-]/g, '.')}`];
}

/** The token in the header `Sec-WebSocket-Protocol`; null without one. */
export function offeredToken(header: string | undefined): string | null {
  const offered = (header ?? '').split(',').map((name) => name.trim());
  return offered.find((name) => name.startsWith(TOKEN_PREFIX))?.slice(TOKEN_PREFIX.length) ?? null;
}
