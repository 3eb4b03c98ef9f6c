import { once } from 'node:events';
import { WebSocket } from 'ws';

/** The body of any GET (PROTOCOL 4.3): whole at first and updates later (PROTOCOL 6). */
type FeedMessage = { tokens?: object; pairs?: object; prices?: object; blacklist?: string[]; message?: string };

/** A consumer of the feed, on a real socket, that keeps all messages. */
export async function openFeed(port: number, path = '/31337/ws', headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  const messages: FeedMessage[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const closed = once(socket, 'close');
  await once(socket, 'open');
  /** Waits for the n-th message, counted from 1. */
  const message = async (n: number) => {
    while (messages.length < n) await once(socket, 'message');
    return messages[n - 1];
  };
  return { socket, messages, message, closed };
}

/** The refusal that a handshake gets. */
export async function refusedFeed(port: number, path: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  socket.on('error', () => {});
  const [request, response] = await once(socket, 'unexpected-response');
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  request.destroy();
  return { status: response.statusCode, json: JSON.parse(Buffer.concat(parts).toString()) };
}

type Held = { tokens: object; pairs: object; prices: object; blacklist: string[] };

/** What a consumer holds after a message: entries are replaced one by one, addresses only added (PROTOCOL 6). */
export function fold(held: Held, message: FeedMessage): Held {
  return {
    tokens: { ...held.tokens, ...message.tokens },
    pairs: { ...held.pairs, ...message.pairs },
    prices: { ...held.prices, ...message.prices },
    blacklist: [...held.blacklist, ...(message.blacklist ?? [])],
  };
}
