import { WebSocket } from 'ws';
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
export type Speaking = Pick<WebSocket, 'addEventListener' | 'send'>;

interface Line {
  socket: WebSocket;
  /** Looks in a row at which an answer was missing. */
  unanswered: number;
  /** What was sent and is not read yet, oldest first, by number. */
  unread: { number: number; read: () => void }[];
  /** Whether a ping is out. One at a time: whoever is sent many in one go takes them for an attack. */
  asked: boolean;
}

/**
 * The lines on which consoles are spoken to. Behind messages goes a ping, whose answer says that all before it was read;
 * until then their streams make no others. So everything that is told is pulled by whoever reads it, and what happens
 * meanwhile is folded into the next message. A console that reads nothing any more is let go; one that comes back opens
 * another line, and begins with the whole view.
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
    const line = this.#opened(socket);
    this.#consoles.add(line);
    socket.once('close', () => this.#consoles.delete(line));
    return this.#speaking(line);
  }

  /** A command on this machine: it may stand still for as long as whoever reads its output likes. */
  command(socket: WebSocket): Speaking {
    return this.#speaking(this.#opened(socket));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #opened(socket: WebSocket): Line {
    const line: Line = { socket, unanswered: 0, unread: [], asked: false };
    const readUpTo = (number: number) => {
      while (line.unread[0] !== undefined && line.unread[0].number <= number) line.unread.shift()?.read();
    };
    socket.on('pong', (said) => {
      line.unanswered = 0;
      line.asked = false;
      readUpTo(Number(said.toString()));
      if (line.unread.length > 0) this.#ask(line);
    });
    socket.once('close', () => readUpTo(Number.POSITIVE_INFINITY));
    return line;
  }

  #speaking(line: Line): Speaking {
    const { socket } = line;
    const send = (message: string | Uint8Array) =>
      new Promise<void>((resolve) => {
        // In another turn, so that a stream that has much to say lets the end of its line be heard.
        if (socket.readyState !== WebSocket.OPEN) return void setImmediate(resolve);
        this.#sent += 1;
        line.unread.push({ number: this.#sent, read: resolve });
        socket.send(message);
        this.#ask(line);
        this.#keepBounds(line);
      });
    return { addEventListener: socket.addEventListener.bind(socket), send };
  }

  #keepBounds(line: Line): void {
    if (line.socket.bufferedAmount > MOST_UNREAD) {
      this.#letGo(line, 'it asks for more than it reads');
      return;
    }
    const all = [...this.#consoles].filter(({ unread }) => unread.length > 0);
    if (all.reduce((sum, { socket }) => sum + socket.bufferedAmount, 0) <= MOST_UNREAD_BY_ALL) return;
    const [first] = all.sort((a, b) => (a.unread[0]?.number ?? 0) - (b.unread[0]?.number ?? 0));
    if (first !== undefined) this.#letGo(first, 'it reads nothing, and others need the room');
  }

  #look(): void {
    for (const line of this.#consoles) {
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
    if (line.asked || line.socket.readyState !== WebSocket.OPEN) return;
    line.asked = true;
    line.socket.ping(String(this.#sent));
  }

  #letGo(line: Line, why: string): void {
    this.#consoles.delete(line);
    line.socket.terminate();
    this.#log.warn('a console was let go', { why });
  }
}
