import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import { offeredProtocols } from '../../electron/contract/console-access.ts';
import {
  APP_DESKS,
  APP_HALT,
  PORT_MESSAGE,
  PORT_REQUEST,
  tellWhatIsRead,
} from '../../electron/contract/console-port.ts';
import { FILE_CHOICE, type FileQuestion, fileAnswerSchema } from '../../electron/contract/file-choice.ts';
import {
  PAGE_PDF,
  type PagePdfQuestion,
  pagePdfAnswerSchema,
  type SavedPage,
} from '../../electron/contract/page-pdf.ts';
import { type EntranceStore, openEntrance } from './entrance.ts';
import { type CallNotes, headersOf } from './named-commands.ts';

export type ConsoleLink = PortLink<CallNotes> | SocketLink<CallNotes>;

export interface LineEvents {
  ready(link: ConsoleLink): void;
  lost(why: string): void;
}

/** Tries once to open a line to the desk; the answer closes it. `lost` comes at most once. */
export type Transport = (events: LineEvents) => () => void;

/** A browser reaches the desk over a WebSocket. */
export function socketTransport(url: string, token: string): Transport {
  return ({ ready, lost }) => {
    const socket = new WebSocket(url, offeredProtocols(token));
    let opened = false;
    socket.addEventListener('open', () => {
      opened = true;
      ready(new SocketLink<CallNotes>({ websocket: socket, headers: headersOf }));
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
  halt(press: string): void;
  /** Asks a person for a file by the system's dialog. Resolves to its whole path, or null where none was chosen. */
  chooseFile(way: FileQuestion['way'], suggested: string): Promise<string | null>;
  /** Writes the page as it would be printed into a file that a person chooses. Resolves to null where none was chosen. */
  savePage(suggested: string): Promise<SavedPage | null>;
  /** Shows the list of desks elsewhere. */
  showDesks(): void;
}

/**
 * The desktop app's preload hands in ports by a window message, one to the desk, one to the app itself, and one to the desk's
 * entrance; after the desk was started anew it hands in others. The desk is spoken to once its entrance is open. A desk elsewhere has
 * no entrance here.
 */
export function desktopLines(page: Window): { transport: Transport; app: AppLine; entrance: EntranceStore } {
  let appPort: MessagePort | null = null;
  let asked = 0;
  const open = new Map<number, (path: string | null) => void>();
  const saving = new Map<number, (saved: SavedPage | null) => void>();
  const entrance = openEntrance();
  const { transport, take } = portTransport(page, entrance.isShut);
  const hear = ({ data }: MessageEvent) => {
    const answer = fileAnswerSchema.safeParse(data).data;
    if (answer !== undefined) {
      open.get(answer.ask)?.(answer.path);
      open.delete(answer.ask);
    }
    const done = pagePdfAnswerSchema.safeParse(data).data;
    if (done !== undefined) {
      saving.get(done.ask)?.(done.saved);
      saving.delete(done.ask);
    }
  };
  const chooseFile: AppLine['chooseFile'] = (way, suggested) =>
    new Promise((resolve) => {
      if (appPort === null) return resolve(null);
      asked += 1;
      open.set(asked, resolve);
      appPort.postMessage({ kind: FILE_CHOICE, ask: asked, way, suggested } satisfies FileQuestion);
    });
  const savePage: AppLine['savePage'] = (suggested) =>
    new Promise((resolve) => {
      if (appPort === null) return resolve(null);
      asked += 1;
      saving.set(asked, resolve);
      appPort.postMessage({ kind: PAGE_PDF, ask: asked, suggested } satisfies PagePdfQuestion);
    });
  page.addEventListener('message', ({ source, data, ports: [desk, app, door] }) => {
    if (source !== page || !isPortMessage(data)) return;
    if (app !== undefined) {
      for (const answer of [...open.values(), ...saving.values()]) answer(null);
      open.clear();
      saving.clear();
      appPort = app;
      app.addEventListener('message', hear);
      app.start();
    }
    if (desk !== undefined && door !== undefined) entrance.follow(door, () => take(desk));
    else if (desk !== undefined) take(desk);
  });
  const app: AppLine = {
    halt: (press) => appPort?.postMessage({ kind: APP_HALT, press }),
    showDesks: () => appPort?.postMessage({ kind: APP_DESKS }),
    chooseFile,
    savePage,
  };
  return { transport, app, entrance };
}

function portTransport(
  page: Window,
  isShut: () => boolean,
): { transport: Transport; take: (port: MessagePort) => void } {
  let waiting: MessagePort | null = null;
  let take: ((port: MessagePort) => void) | null = null;
  let lostOne = false;
  const transport: Transport = ({ ready, lost }) => {
    let current: MessagePort | null = null;
    const asking = setInterval(() => {
      if (current === null && lostOne && !isShut()) page.postMessage({ kind: PORT_REQUEST }, page.location.origin);
    }, ASK_EVERY);
    const start = (port: MessagePort) => {
      current = port;
      port.addEventListener('close', () => lost('The desk closed the connection, or its process ended.'));
      const link = new PortLink<CallNotes>({ port, headers: headersOf });
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
      // A port tells only its other end that it was closed: what was asked over it would be waited for without end.
      current?.dispatchEvent(new Event('close'));
    };
  };
  return {
    transport,
    take: (port) => {
      if (take === null) waiting = port;
      else take(port);
    },
  };
}

/** Whether this is what the preload hands ports in with. */
export function isPortMessage(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === PORT_MESSAGE;
}
