import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import { APP_HALT, PORT_MESSAGE, PORT_REQUEST, tellWhatIsRead } from '../../electron/contract/console-port.ts';

export type ConsoleLink = PortLink<Record<never, never>> | SocketLink<Record<never, never>>;

export interface LineEvents {
  ready(link: ConsoleLink): void;
  lost(why: string): void;
}

/** Tries once to open a line to the desk; the answer closes it. `lost` comes at most once. */
export type Transport = (events: LineEvents) => () => void;

/** A browser reaches the desk over a WebSocket. */
export function socketTransport(url: string): Transport {
  return ({ ready, lost }) => {
    const socket = new WebSocket(url);
    let opened = false;
    socket.addEventListener('open', () => {
      opened = true;
      ready(new SocketLink({ websocket: socket }));
    });
    socket.addEventListener('close', () =>
      lost(
        opened
          ? 'The desk closed the connection.'
          : 'The desk does not answer at this address, or does not know this token. Open the link it printed when it started.',
      ),
    );
    return () => socket.close();
  };
}

/** How often a lost port is asked for until another comes. Milliseconds. */
const ASK_EVERY = 2_000;

/** The desktop app around the console. It lives on when its desk hangs or is gone. */
export interface AppLine {
  /** Lets the app halt its desk as its hotkey does: where the desk does not answer, it offers to end the process. */
  halt(): void;
}

/**
 * The desktop app's preload hands in ports by a window message, one to the desk and one to the app itself; after the desk
 * was started anew it hands in others.
 */
export function desktopLines(page: Window): { transport: Transport; app: AppLine } {
  let appPort: MessagePort | null = null;
  page.addEventListener('message', (event) => {
    if (event.source === page && isPortMessage(event.data)) appPort = event.ports[1] ?? appPort;
  });
  return { transport: portTransport(page), app: { halt: () => appPort?.postMessage({ kind: APP_HALT }) } };
}

function portTransport(page: Window): Transport {
  let waiting: MessagePort | null = null;
  let take: ((port: MessagePort) => void) | null = null;
  let lostOne = false;
  page.addEventListener('message', (event) => {
    const port = event.ports[0];
    if (event.source !== page || port === undefined || !isPortMessage(event.data)) return;
    if (take === null) waiting = port;
    else take(port);
  });
  return ({ ready, lost }) => {
    let current: MessagePort | null = null;
    const asking = setInterval(() => {
      if (current === null && lostOne) page.postMessage({ kind: PORT_REQUEST }, page.location.origin);
    }, ASK_EVERY);
    const start = (port: MessagePort) => {
      current = port;
      port.addEventListener('close', () => lost('The desk closed the connection, or its process ended.'));
      const link = new PortLink({ port });
      tellWhatIsRead((heard) => port.addEventListener('message', heard), port);
      port.start();
      ready(link);
    };
    take = (port) => {
      if (current === null) return start(port);
      waiting = port;
      lost('The desk was started again.');
    };
    if (waiting !== null) {
      const port = waiting;
      waiting = null;
      start(port);
    }
    return () => {
      clearInterval(asking);
      take = null;
      lostOne = true;
      current?.close();
    };
  };
}

function isPortMessage(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === PORT_MESSAGE;
}
