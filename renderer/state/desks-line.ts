import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { PORT_REQUEST } from '../../electron/contract/console-port.ts';
import type { DesksView, desksContract } from '../../electron/contract/desks-elsewhere.ts';
import { createEmitter } from './emitter.ts';
import { NotConnected } from './no-line.ts';
import { isPortMessage } from './transport.ts';

export type DesksClient = ContractRouterClient<typeof desksContract>;

/** How often a port is asked for until one comes. Milliseconds. */
const ASK_EVERY = 1_000;

/** How long a call waits for a line. Milliseconds. */
const WAITS = 3_000;

/** What the window of the list knows, and how it speaks to the app. */
export interface DesksLine {
  /** Null until the app has spoken. */
  view(): DesksView | null;
  subscribe(listener: () => void): () => void;
  /** Calls go to the app as soon as there is a line; where none comes in time they throw NotConnected. */
  client: DesksClient;
}

/** Asks the app for its port, and for another where that one ends. */
export function openDesksLine(page: Window): DesksLine {
  const { subscribe, emit } = createEmitter();
  let view: DesksView | null = null;
  let link: RPCLink<Record<never, never>> | null = null;
  const client: DesksClient = createORPCClient({
    call: async (path, input, options) => {
      if (link === null) await opened(subscribe, () => link !== null);
      if (link === null) throw new NotConnected();
      return link.call(path, input, options);
    },
  });
  const follow = async (mine: RPCLink<Record<never, never>>) => {
    try {
      for await (const next of await client.watch()) {
        if (link !== mine) return;
        view = next;
        emit();
      }
    } finally {
      if (link === mine) link = null;
    }
  };
  page.addEventListener('message', ({ source, data, ports: [port] }) => {
    if (source !== page || !isPortMessage(data) || port === undefined) return;
    const mine = new RPCLink<Record<never, never>>({ port });
    link = mine;
    port.start();
    emit();
    void follow(mine).catch(() => {});
  });
  setInterval(() => {
    if (link === null) page.postMessage({ kind: PORT_REQUEST }, page.location.origin);
  }, ASK_EVERY);
  return { view: () => view, subscribe, client };
}

/** Resolves when there is a line, or when none came in time. */
function opened(subscribe: DesksLine['subscribe'], isOpen: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(late);
      unsubscribe();
      resolve();
    };
    const late = setTimeout(end, WAITS);
    const unsubscribe = subscribe(() => {
      if (isOpen()) end();
    });
  });
}
