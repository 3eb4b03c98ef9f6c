import type { WebSocket } from 'ws';
import type { ServedGrid } from '../quoting/served-grid.ts';
import { FeedMessages } from './feed-update.ts';
import { member, serialised } from './serialised-grid.ts';

/** How long a consumer has to answer our closing before its socket is cut, in milliseconds. */
const CLOSING_MS = 1_000;
/** So many pings in a row may find no answer: counted, not timed, since a surface that stood still has read none. */
const MOST_UNANSWERED = 2;
/** Lines that wait for a consumer which reads slowly. */
const MOST_LINES = 10;

type Consumer = {
  readonly socket: WebSocket;
  /** Of the counterparty; null where nobody signs. */
  readonly domain: string | null;
  /** The grid this consumer holds once everything handed to its socket has arrived. */
  held: ServedGrid;
  /** True until the last message has left for the network: there is never a second one behind it. */
  sending: boolean;
  /** Lines for its log that go out once the last message has left. */
  readonly lines: string[];
  /** Pings in a row that it has not answered. */
  unanswered: number;
};

/**
 * The WebSocket channel of one chain (PROTOCOL 6). A consumer that reads slowly has one message under way at most; once that
 * is gone it gets the difference between what it holds and what is served then.
 */
export class Feed {
  readonly #served: () => ServedGrid;
  readonly #consumers = new Set<Consumer>();
  readonly #messages = new FeedMessages();
  /** The texts of the prices at the last look at what stands still, and when that was. */
  #looked: { prices: ReadonlyMap<string, string>; at: number } | null = null;

  constructor(served: () => ServedGrid) {
    this.#served = served;
  }

  get size(): number {
    return this.#consumers.size;
  }

  /** How many of them are a counterparty's. */
  sizeOf(domain: string | null): number {
    let count = 0;
    for (const consumer of this.#consumers) if (consumer.domain === domain) count += 1;
    return count;
  }

  /** Takes a socket of a counterparty that is open and sends it everything. */
  add(socket: WebSocket, domain: string | null): void {
    const grid = this.#served();
    const consumer: Consumer = { socket, domain, held: grid, sending: false, lines: [], unanswered: 0 };
    this.#consumers.add(consumer);
    socket.on('close', () => this.#consumers.delete(consumer));
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => {
      consumer.unanswered = 0;
    });
    if (grid.closed === null) this.#send(consumer, this.#messages.complete(grid), grid);
    else this.refresh();
  }

  /** To be called whenever the served grid has changed: tells every consumer, or closes them all (PROTOCOL 6.4). */
  refresh(): void {
    if (this.#served().closed !== null) this.close('Trading is stopped.');
    else for (const consumer of this.#consumers) this.#update(consumer);
  }

  /**
   * Sends prices that stand still once more, so that no consumer holds one for longer than `maxAgeMs` (PROTOCOL 6: "refreshed
   * after going stale"): only prices, and only as they are served now. To be called often; `now` is monotonic milliseconds,
   * and an age of 0 sends nothing.
   */
  resend(now: number, maxAgeMs: number): void {
    const grid = this.#served();
    if (maxAgeMs === 0 || grid.closed !== null) {
      this.#looked = null;
      return;
    }
    // What changed after a look went out then, and is found standing still at the second look from there on.
    if (this.#looked !== null && now - this.#looked.at < maxAgeMs / 2) return;
    const before = this.#looked?.prices;
    const prices = serialised(grid).prices.entries;
    this.#looked = { prices, at: now };
    const still = [...prices].filter(([id, text]) => before?.get(id) === text && isLit(grid, id));
    if (still.length === 0) return;
    const text = `{${member('prices', still)}}`;
    for (const consumer of this.#consumers) {
      if (consumer.held === grid && !consumer.sending) this.#send(consumer, text, grid);
      else this.#update(consumer);
    }
  }

  /** Tells every consumer a line for its log (PROTOCOL 6.1). Returns how many take it: one that reads too slowly for the lines before it does not. */
  say(line: string): number {
    let told = 0;
    for (const consumer of this.#consumers) {
      if (consumer.lines.length >= MOST_LINES) continue;
      consumer.lines.push(line);
      told += 1;
      this.#update(consumer);
    }
    return told;
  }

  /** Cuts those that answered none of the last pings, and pings the others. */
  ping(): void {
    for (const consumer of this.#consumers) {
      if (consumer.unanswered < MOST_UNANSWERED) consumer.socket.ping();
      else consumer.socket.terminate();
      consumer.unanswered += 1;
    }
  }

  close(reason: string): void {
    for (const consumer of this.#consumers) this.#end(consumer, reason);
  }

  /** Closes those of one counterparty; of null, those who did not sign. */
  closeOf(domain: string | null, reason: string): void {
    for (const consumer of this.#consumers) if (consumer.domain === domain) this.#end(consumer, reason);
  }

  #end(consumer: Consumer, reason: string): void {
    const { socket } = consumer;
    socket.close(1001, reason);
    setTimeout(() => socket.terminate(), CLOSING_MS).unref();
    this.#consumers.delete(consumer);
  }

  #update(consumer: Consumer): void {
    const grid = this.#served();
    if (consumer.sending || grid.closed !== null) return;
    const line = consumer.lines.shift();
    if (line !== undefined) {
      this.#send(consumer, JSON.stringify({ message: line }), consumer.held);
      return;
    }
    if (consumer.held === grid) return;
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

function isLit({ prices }: ServedGrid, id: string): boolean {
  const { bids = [], asks = [] } = prices[id] ?? {};
  return bids.length + asks.length > 0;
}
