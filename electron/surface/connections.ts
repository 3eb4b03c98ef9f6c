import type { Socket } from 'node:net';

export type ConnectionBounds = {
  /** Connections on which nobody has shown yet who they are, and how long each may stay so (milliseconds). */
  maxStrangers: number;
  strangerMs: number;
  /** Connections of one counterparty, WebSockets not counted. */
  maxPerDomain: number;
};

/** So many requests of one connection may wait until those before them are answered: each is kept with its body. */
const MOST_WAITING = 8;

/**
 * Who holds the connections of a server. Whoever has not shown who they are waits in a small queue and for a short time;
 * where it is full, the oldest of the address that has the most of it is let go, so that there is always room for one
 * more. A counterparty's connections are kept for it; one with too many loses those it has used least.
 */
export class Connections {
  readonly #bounds: ConnectionBounds;
  /** Oldest first. */
  readonly #strangers = new Set<Socket>();
  /** By domain, null where nobody signs; least used first. */
  readonly #known = new Map<string | null, Set<Socket>>();
  /** How many requests of a connection wait. */
  readonly #waiting = new WeakMap<Socket, number>();

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds;
  }

  /** A connection was taken. */
  add(socket: Socket): void {
    const { maxStrangers, strangerMs } = this.#bounds;
    this.#strangers.add(socket);
    const late = setTimeout(() => {
      if (this.#strangers.has(socket)) socket.destroy();
    }, strangerMs).unref();
    socket.once('close', () => {
      clearTimeout(late);
      this.leave(socket);
    });
    if (this.#strangers.size > maxStrangers) this.#makeRoom();
  }

  /** Whoever is at the other end has shown who they are, once more. */
  recognised(socket: Socket, domain: string | null): void {
    const own = this.#known.get(domain) ?? new Set();
    if (!own.delete(socket)) {
      this.leave(socket);
      this.#known.set(domain, own);
    }
    own.add(socket);
    const [leastUsed] = own;
    if (own.size > this.#bounds.maxPerDomain) leastUsed?.destroy();
  }

  /**
   * A request of this connection has come, and waits until those before it are answered. While too many do, nothing more is read of
   * what the other end sends: it waits there, and is answered in its turn. Node itself looks only at how many bytes of answers lie there.
   */
  waits(socket: Socket): void {
    const waiting = (this.#waiting.get(socket) ?? 0) + 1;
    this.#waiting.set(socket, waiting);
    if (waiting < MOST_WAITING) return;
    // Node reads on for the body of whatever else came in the same piece.
    if (waiting === MOST_WAITING) socket.on('resume', pause);
    socket.pause();
  }

  /** A request that waited waits no longer. */
  waited(socket: Socket): void {
    const waiting = (this.#waiting.get(socket) ?? 0) - 1;
    this.#waiting.set(socket, waiting);
    if (waiting !== MOST_WAITING - 1) return;
    socket.off('resume', pause);
    socket.resume();
  }

  /** It is gone, or is somebody else's to look after from now on. */
  leave(socket: Socket): void {
    this.#strangers.delete(socket);
    for (const [domain, own] of this.#known) if (own.delete(socket) && own.size === 0) this.#known.delete(domain);
  }

  #makeRoom(): void {
    const byAddress = new Map<string | undefined, Socket[]>();
    let open = 0;
    for (const socket of this.#strangers) {
      if (socket.destroyed) continue; // it is on its way out
      open += 1;
      const others = byAddress.get(socket.remoteAddress);
      if (others === undefined) byAddress.set(socket.remoteAddress, [socket]);
      else others.push(socket);
    }
    if (open <= this.#bounds.maxStrangers) return;
    const [most] = [...byAddress.values()].sort((a, b) => b.length - a.length);
    most?.[0]?.destroy();
  }
}

function pause(this: Socket): void {
  this.pause();
}
