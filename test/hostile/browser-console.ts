import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { WebSocket } from 'ws';
import type { DeskClient } from '../../electron/desk/desk-line.ts';

export interface BrowserConsole {
  desk: DeskClient;
  socket: WebSocket;
}

/** Speaks to a desk as its console in a browser does: with the token of the address that it printed. */
export async function browserConsole(address: string, actor?: string): Promise<BrowserConsole> {
  const { host, hash } = new URL(address);
  const query = new URLSearchParams({ token: hash.slice(1), ...(actor !== undefined && { actor }) });
  const socket = new WebSocket(`ws://${host}/rpc?${query}`, { perMessageDeflate: false });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return { desk: createORPCClient(new RPCLink({ websocket: socket })), socket };
}
