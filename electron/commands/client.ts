import { connect } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { WebSocket } from 'ws';
import type { consoleContract } from '../contract/console-contract.ts';
import { deskSocketPath } from '../desk/folder.ts';

/** The desk, as commands speak to it: over its socket, or opened in this process when none runs. */
export type DeskClient = ContractRouterClient<typeof consoleContract>;

export interface DeskConnection {
  desk: DeskClient;
  close(): Promise<void>;
}

/** Reaches the desk that runs on this folder; null when none listens, or none that answers within the time. */
export async function connectToDesk(folder: string, actor: string, patienceMs = 3_000): Promise<DeskConnection | null> {
  const socket = new WebSocket(`ws://desk/rpc?actor=${encodeURIComponent(actor)}`, {
    createConnection: () => connect({ path: deskSocketPath(folder), timeout: patienceMs }),
    perMessageDeflate: false,
    handshakeTimeout: patienceMs,
  });
  const opened = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.on('error', () => resolve(false));
  });
  if (!opened) return null;
  const desk: DeskClient = createORPCClient(new RPCLink({ websocket: socket }));
  return {
    desk,
    close: () =>
      new Promise((resolve) => {
        if (socket.readyState === WebSocket.CLOSED) return resolve(); // the desk has ended
        socket.once('close', () => resolve());
        socket.close();
        setTimeout(() => socket.terminate(), 500).unref();
      }),
  };
}
