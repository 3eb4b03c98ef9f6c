import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { WebSocket } from 'ws';
import type { DeskClient } from '../../electron/desk/desk-line.ts';

/** A console as a browser opens it: its WebSocket, the live view and the tail of the firm log. */
export interface OpenConsole {
  desk: DeskClient;
  /** What it was told so far, in messages. */
  told(): { views: number; rows: number };
  close(): void;
}

/** Opens the console behind the address that the desk's ready line gives. */
export async function openConsole(url: string): Promise<OpenConsole> {
  const { host, hash } = new URL(url);
  const socket = new WebSocket(`ws://${host}/rpc?token=${hash.slice(1)}&actor=bench`, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const desk: DeskClient = createORPCClient(new RPCLink({ websocket: socket }));
  const told = { views: 0, rows: 0 };
  const follow = async <T>(stream: Promise<AsyncIterable<T>>, count: () => void) => {
    for await (const _ of await stream) count();
  };
  const over = () => {}; // the socket was closed
  follow(desk.desk.watch(), () => {
    told.views += 1;
  }).catch(over);
  follow(desk.log.watch(), () => {
    told.rows += 1;
  }).catch(over);
  return { desk, told: () => told, close: () => socket.terminate() };
}
