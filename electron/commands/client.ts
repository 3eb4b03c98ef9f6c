import { connect } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { WebSocket } from 'ws';
import { type DeskClient, lineOn } from '../desk/desk-line.ts';
import { deskSocketPath } from '../desk/folder.ts';

export interface DeskConnection {
  desk: DeskClient;
  /** Whether the desk can still answer on it. */
  isOpen(): boolean;
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
  const { link, isOpen, close } = lineOn(socket);
  return { desk: createORPCClient(link), isOpen, close };
}
