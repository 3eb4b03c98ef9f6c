import { onMessagePortClose, onMessagePortMessage } from '@orpc/client/message-port';
import { WebSocket } from 'ws';
import type { PortReader } from '../contract/process-messages.ts';
import type { Log } from './log.ts';

/** How often it is looked whether a console answers. */
const PING_MS = 15_000;
/** So many looks in a row may find no answer: counted, not timed, since a desk that stood still has missed none. */
const MOST_UNANSWERED = 2;
/** Consoles at once, and what may wait to be read by one and by all of them. Bytes. */
const MOST_CONSOLES = 250;
const MOST_UNREAD = 16 * 1024 * 1024;
const MOST_UNREAD_BY_ALL = 48 * 1024 * 1024;

/** RFC 6455: "try again later". */
const TRY_AGAIN_LATER = 1013;

/** What a line needs of its socket to be spoken on. */
export interface Speaking extends Pick<WebSocket, 'addEventListener'> {
  /** Resolves when the message is read, or nobody can read it any more. */
  send(message: string | Uint8Array): Promise<void>;
}

/** One end of a channel, as Electron, browsers and worker threads have it. */
export type ConsolePort = Parameters<typeof onMessagePortMessage>[0] & { start?: () => void; close: () => void };

/** What carries a line: a socket, or a port of the desktop app. */
interface Wire {
  isOpen(): boolean;
  post(message: string | Uint8Array): void;
  /** Asks to be told when the messages up to this one are read. Null: whoever reads tells it unasked. */
  ask: ((number: number) => void) | null;
  cut(): void;
}

interface Line {
  wire: Wire;
  /** Looks in a row at which an answer was missing. */
  unanswered: number;
  /** Messages so far. */
  sent: number;
  /** What was sent and is not read yet, oldest first: its number on this line, and its place among those of all lines. */
  unread: { number: number; place: number; bytes: number; read: () => void }[];
  /** Whether a ping is out. One at a time: whoever is sent many in one go takes them for an attack. */
  asked: boolean;
}

/**
 * The lines on which consoles are spoken to. Whoever reads one says up to which message: on a socket as the answer to a
 * ping, on a port by itself. Until then their streams make no others. So everything that is told is pulled by whoever
 * reads it, and what happens meanwhile is folded into the next message. A console that reads nothing any more is let go;
 * one that comes back opens another line, and begins with the whole view.
 */
export class ConsoleLines {
  readonly #consoles = new Set<Line>();
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  /** Messages so far, on all lines. */
  #sent = 0;

  constructor(log: Log, pingMs = PING_MS) {
    this.#log = log;
    this.#timer = setInterval(() => this.#look(), pingMs).unref();
  }

  /** A console in a browser or elsewhere. One too many is turned away and gives null. */
  console(socket: WebSocket): Speaking | null {
    if (this.#consoles.size >= MOST_CONSOLES) {
      this.#log.warn('a console was turned away: too many are open', { open: this.#consoles.size });
      socket.close(TRY_AGAIN_LATER, 'too many consoles are open');
      return null;
    }
    const line = this.#ofSocket(socket);
    this.#consoles.add(line);
    return this.#speaking(line, socket);
  }

  /** A command on this machine: it may stand still for as long as whoever reads its output likes. */
  command(socket: WebSocket): Speaking {
    return this.#speaking(this.#ofSocket(socket), socket);
  }

  /**
   * A port of the desktop app, which may stand still for as long as it likes, as in a debugger. A window that leaves too
   * much unread is let go and asks for another port; the app's own line, on which it halts, never is.
   */
  port(port: ConsolePort, reader: PortReader): Speaking {
    let isOpen = true;
    const line = newLine({
      isOpen: () => isOpen,
      post: (message) => port.postMessage(message),
      ask: null,
      cut: () => port.close(),
    });
    if (reader === 'window') this.#consoles.add(line);
    const heard = new EventTarget();
    onMessagePortMessage(port, (data) => {
      if (typeof data === 'number') readUpTo(line, data);
      else heard.dispatchEvent(new MessageEvent('message', { data }));
    });
    onMessagePortClose(port, () => {
      isOpen = false;
      this.#ended(line);
      heard.dispatchEvent(new Event('close'));
    });
    return this.#speaking(line, heard);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #ofSocket(socket: WebSocket): Line {
    const line = newLine({
      isOpen: () => socket.readyState === WebSocket.OPEN,
      post: (message) => socket.send(message),
      ask: (number) => socket.ping(String(number)),
      cut: () => socket.terminate(),
    });
    socket.on('pong', (said) => {
      line.unanswered = 0;
      line.asked = false;
      readUpTo(line, Number(said.toString()));
      if (line.unread.length > 0) this.#ask(line);
    });
    socket.once('close', () => this.#ended(line));
    return line;
  }

  #speaking(line: Line, heard: EventTarget | WebSocket): Speaking {
    const { wire, unread } = line;
    const send = (message: string | Uint8Array) =>
      new Promise<void>((resolve) => {
        // In another turn, so that a stream that has much to say lets the end of its line be heard.
        if (!wire.isOpen()) return void setImmediate(resolve);
        this.#sent += 1;
        line.sent += 1;
        unread.push({ number: line.sent, place: this.#sent, bytes: message.length, read: resolve });
        wire.post(message);
        this.#ask(line);
        this.#keepBounds(line);
      });
    // Of what a port hears only `data` is ever read, which it has as a socket has.
    return { addEventListener: heard.addEventListener.bind(heard) as Speaking['addEventListener'], send };
  }

  /** One answer may be as large as it is: only what comes on top of others counts against a line. */
  #keepBounds(line: Line): void {
    if (this.#consoles.has(line) && line.unread.length > 1 && unreadBytes(line) > MOST_UNREAD) {
      this.#letGo(line, 'it asks for more than it reads');
      return;
    }
    const all = [...this.#consoles].filter(({ unread }) => unread.length > 0);
    if (all.reduce((sum, one) => sum + unreadBytes(one), 0) <= MOST_UNREAD_BY_ALL) return;
    const [first] = all.sort((a, b) => (a.unread[0]?.place ?? 0) - (b.unread[0]?.place ?? 0));
    if (first !== undefined) this.#letGo(first, 'it reads nothing, and others need the room');
  }

  #look(): void {
    for (const line of this.#consoles) {
      if (line.wire.ask === null) continue;
      if (line.unanswered >= MOST_UNANSWERED) {
        this.#letGo(line, 'it does not answer');
        continue;
      }
      line.unanswered += 1;
      this.#ask(line);
    }
  }

  /** Asks whether all that was sent is read. */
  #ask(line: Line): void {
    const { wire, asked, sent } = line;
    if (asked || wire.ask === null || !wire.isOpen()) return;
    line.asked = true;
    wire.ask(sent);
  }

  #letGo(line: Line, why: string): void {
    this.#consoles.delete(line);
    line.wire.cut();
    this.#log.warn('a console was let go', { why });
  }

  #ended(line: Line): void {
    this.#consoles.delete(line);
    readUpTo(line, Number.POSITIVE_INFINITY);
  }
}

function newLine(wire: Wire): Line {
  return { wire, unanswered: 0, sent: 0, unread: [], asked: false };
}

function readUpTo({ unread }: Line, number: number): void {
  while (unread[0] !== undefined && unread[0].number <= number) unread.shift()?.read();
}

function unreadBytes({ unread }: Line): number {
  return unread.reduce((sum, { bytes }) => sum + bytes, 0);
}
