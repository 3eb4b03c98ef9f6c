import { chmodSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import type { WebSocket } from 'ws';
import { openChannelServer } from './channel-server.ts';
import type { Log } from './log.ts';

/** Largest message a command may send: a desk file with every ladder of a large desk fits. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Opens the socket on which the command line reaches the running desk. Only the folder's lock holder calls this, so a
 * socket file found here was left behind by a desk that died. Whoever may open the file is trusted: it is 0600.
 */
export async function openDeskSocket(
  path: string,
  options: {
    /** The name under which whoever opened it acts, of the one they give. */
    nameOf: (given: string | null) => string;
    connect: (socket: WebSocket, who: { actor: string }) => void;
    log: Pick<Log, 'warn'>;
  },
): Promise<{ close(): Promise<void> }> {
  const { nameOf, connect, log } = options;
  const onDisk = platform() !== 'win32';
  if (onDisk) rmSync(path, { force: true });
  const door = openChannelServer({
    answer: (_request, response) => response.writeHead(404).end(),
    admit: (_request, { searchParams }) => ({ actor: nameOf(searchParams.get('actor')) }),
    connect,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    log,
  });
  const mask = process.umask(0o177);
  const listening = door.listen({ path });
  process.umask(mask); // `listen` has made the file when it returns
  await listening;
  if (onDisk) chmodSync(path, 0o600);
  return { close: door.close };
}
