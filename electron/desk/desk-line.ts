import { ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { WebSocket } from 'ws';
import { COMMAND_HEADER } from '../contract/commands.ts';
import { offeredProtocols } from '../contract/console-access.ts';
import type { consoleContract } from '../contract/console-contract.ts';
import { DeskError } from '../protocol/desk-error.ts';

/** A desk, as whoever speaks its contract sees it. */
export type DeskClient = ContractRouterClient<typeof consoleContract>;

/** A line to a desk. `command` in the context of a call is the command that it is, as its header has it. */
export interface DeskLine {
  link: RPCLink<{ command?: string }>;
  /** Whether the desk can still answer on it. */
  isOpen(): boolean;
  close(): Promise<void>;
}

/** The line that is spoken on an open socket. */
export function lineOn(socket: WebSocket): DeskLine {
  return {
    link: new RPCLink({
      websocket: socket,
      headers: ({ context: { command } }) => (command === undefined ? {} : { [COMMAND_HEADER]: command }),
    }),
    isOpen: () => socket.readyState === WebSocket.OPEN,
    close: () =>
      new Promise((resolve) => {
        if (socket.readyState === WebSocket.CLOSED) return resolve(); // the desk has ended
        socket.once('close', () => resolve());
        socket.close();
        setTimeout(() => socket.terminate(), 500).unref();
      }),
  };
}

/**
 * What `act` comes to on a line. Throws what it throws, and where the line broke off before the desk had answered DeskError `no_answer`
 * with the sentence `brokeOff`.
 */
export async function answeredOn<T>(
  line: Pick<DeskLine, 'isOpen'>,
  act: () => Promise<T>,
  brokeOff: string,
): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (line.isOpen() || cause instanceof ORPCError || cause instanceof DeskError) throw cause;
    throw new DeskError('no_answer', brokeOff, { remedy: 'See "makerdesk status" and "makerdesk journal".', cause });
  }
}

/**
 * Reaches the desk whose console has this address, as whoever the token was handed out to; a certificate that is not right is
 * refused. Throws DeskError `not_admitted` where it does not take the token, or not under this address, and `no_answer` where
 * nothing else comes of it.
 */
export async function openSocketTo(address: URL, token: string, patienceMs: number): Promise<WebSocket> {
  const at = new URL('/rpc', address);
  at.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(at, offeredProtocols(token), { perMessageDeflate: false, handshakeTimeout: patienceMs });
  // The time of the handshake begins anew with each byte that comes: this one does not.
  const late = setTimeout(() => socket.terminate(), patienceMs);
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.on('error', (cause) =>
      reject(
        new DeskError('no_answer', `The desk at ${address.origin} does not answer: ${cause.message}.`, {
          remedy: 'See whether it runs, and its proxy.',
          cause,
        }),
      ),
    );
    socket.once('unexpected-response', (request, { statusCode }) => {
      reject(refusedWith(statusCode ?? 0, address));
      request.destroy();
    });
  }).finally(() => clearTimeout(late));
  return socket;
}

function refusedWith(status: number, { origin }: URL): DeskError {
  if (status === 401 || status === 403) {
    return new DeskError('not_admitted', `The desk at ${origin} does not take this token there.`, {
      remedy: `See "makerdesk token" on its machine, and that it was started with --console-url ${origin}.`,
    });
  }
  return new DeskError('no_answer', `No desk answers at ${origin}: HTTP ${status}.`, {
    remedy: 'See whether it runs, and its proxy.',
  });
}
