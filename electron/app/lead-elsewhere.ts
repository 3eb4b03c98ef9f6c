import type { MessagePortMain } from 'electron';
import type { WebSocket } from 'ws';
import { openSocketTo } from '../desk/desk-line.ts';

/** How long a desk may take to take up the line. Milliseconds. */
const PATIENCE_MS = 5_000;
/** So many messages may be unread by the page; then no more is taken from the desk, which lets a console go that reads nothing. */
const MOST_UNREAD = 64;

/**
 * Leads a page's port to the console of a desk elsewhere, word for word: the page has no network and never sees the token. The
 * port closes when the line breaks, cannot be opened, or has no token; the page then asks for another.
 */
export function leadElsewhere(port: MessagePortMain, { url, token }: { url: URL; token: string | null }): void {
  let socket: WebSocket | null = null;
  let isOver = false;
  const early: (string | Uint8Array)[] = [];
  const unread = { posted: 0, read: 0 };
  const end = () => {
    if (isOver) return;
    isOver = true;
    socket?.close();
    port.close();
  };
  port.on('close', end);
  port.on('message', ({ data }: { data: unknown }) => {
    if (typeof data === 'number') {
      unread.read = data;
      if (unread.posted - data < MOST_UNREAD && socket?.isPaused) socket.resume();
    } else if (typeof data === 'string' || data instanceof Uint8Array) {
      if (socket === null) early.push(data);
      else socket.send(data);
    }
  });
  port.start();
  const lead = (opened: WebSocket) => {
    if (isOver) return opened.terminate();
    socket = opened;
    opened.on('message', (data, isBinary) => {
      unread.posted += 1;
      port.postMessage(isBinary ? new Uint8Array(data as Buffer) : String(data));
      if (unread.posted - unread.read >= MOST_UNREAD) opened.pause();
    });
    opened.once('close', end);
    for (const message of early) opened.send(message);
    early.length = 0;
  };
  if (token === null) end();
  else openSocketTo(url, token, PATIENCE_MS).then(lead, end);
}
