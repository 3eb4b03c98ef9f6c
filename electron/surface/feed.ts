import type { WebSocket } from 'ws';
import type { ServedGrid } from '../quoting/served-grid.ts';
import { FeedMessages } from './feed-update.ts';

/** How long a consumer has to answer our closing before its socket is cut, in milliseconds. */
const CLOSING_MS = 1_000;

type Consumer = {
  readonly socket: WebSocket;
  /** The grid this consumer holds once everything handed to its socket has arrived. */
  held: ServedGrid;
  /** True until the last message has left for the network: there is never a second one behind it. */
  sending: boolean;
  alive: boolean;
};

/**
 * The WebSocket channel of one chain (spec 6). A consumer that reads slowly has one message under way at most; once that
 * is gone it gets the difference between what it holds and what is served then.
 */
export class Feed {
  readonly #served: () => ServedGrid;
  readonly #consumers = new Set<Consumer>();
  readonly #messages = new FeedMessages();

  constructor(served: () => ServedGrid) {
    this.#served = served;
  }

  get size(): number {
    return this.#consumers.size;
  }

  /** Takes a socket that is open and sends it everything. */
  add(socket: WebSocket): void {
    const grid = this.#served();
    const consumer: Consumer = { socket, held: grid, sending: false, alive: true };
    this.#consumers.add(consumer);
    socket.on('close', () => this.#consumers.delete(consumer));
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => {
      consumer.alive = true;
    });
    if (grid.closed === null) this.#send(consumer, this.#messages.complete(grid), grid);
    else this.refresh();
  }

  /** To be called whenever the served grid has changed: tells every consumer, or closes them all (spec 6, rule 5). */
  refresh(): void {
    if (this.#served().closed !== null) this.close('Trading is stopped.');
    else for (const consumer of this.#consumers) this.#update(consumer);
  }

  /** Cuts those that did not answer the last ping, and pings the others. */
  ping(): void {
    for (const consumer of this.#consumers) {
      if (consumer.alive) consumer.socket.ping();
      else consumer.socket.terminate();
      consumer.alive = false;
    }
  }

  close(reason: string): void {
    for (const { socket } of this.#consumers) {
      socket.close(1001, reason);
      setTimeout(() => socket.terminate(), CLOSING_MS).unref();
    }
    this.#consumers.clear();
  }

  #update(consumer: Consumer): void {
    const grid = this.#served();
    if (consumer.sending || consumer.held === grid || grid.closed !== null) return;
    const text = this.#messages.update(consumer.held, grid);
    if (text === null) consumer.held = grid;
    else this.#send(consumer, text, grid);
  }

  #send(consumer: Consumer, text: string, grid: ServedGrid): void {
    consumer.held = grid;
    consumer.sending = true;
    consumer.socket.send(text, (error) => {
      consumer.sending = false;
      if (error) consumer.socket.terminate();
      else if (this.#consumers.has(consumer)) this.#update(consumer);
    });
  }
}
