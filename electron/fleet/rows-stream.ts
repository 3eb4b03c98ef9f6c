import { gunzipSync, gzipSync } from 'node:zlib';
import { JetStreamApiCodes, JetStreamApiError, type StoredMsg } from '@nats-io/jetstream';
import { createInbox, headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import type { Head } from '../journal/head-file.ts';
import type { Written } from '../journal/replica.ts';
import { GENESIS_HASH } from '../journal/row-hash.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { type FleetServer, onRefusedRight } from './fleet-server.ts';

/** A message with rows is no larger than this by much; one row may be larger, and is packed. Bytes. */
const MOST_BYTES = 256 * 1_024;
/** A fleet server that has forgotten who follows, as one that was started again has, is asked anew after about this long. Milliseconds. */
const ASKED_AGAIN_MS = 2_000;
const ENCODING = 'Makerdesk-Encoding';
/**
 * A message counts where it was put behind a certain other one, which the server judged. Nothing else is a row of a desk: NATS does not
 * judge where an answer is to go, so whoever may ask the server anything can have it put its answer here.
 */
const BEHIND = 'Nats-Expected-Last-Sequence';
const ROWS = 'Makerdesk-Rows';

const headSchema = z.object({ seq: z.int().min(0), hash: z.hex().length(64) });
const eventSchema = z.object({ time: z.int(), actor: z.string(), kind: z.string(), body: z.string() });
/** What one message has: what was written in its turn of the seat, and the journal's last row behind it. */
const messageSchema = z.object({
  turn: z.int().min(1),
  written: z.array(
    z.object({ item: z.union([eventSchema, z.looseObject({ table: z.string() })]), head: headSchema.nullable() }),
  ),
  head: headSchema,
});

/** What one message of the stream says. An empty one is a fence: from there on only its turn of the seat writes. */
export interface RowsMessage {
  turn: number;
  written: readonly Written[];
  /** The last row of the journal once these are in it. */
  head: Head;
}

/** A message as it stands in the stream, with its number there. `end`: the number of whatever stands there last, which need not count. */
export interface Stored extends RowsMessage {
  at: number;
  end: number;
}

/** Cuts what was written into messages of a size that every server takes. `before` is the last row before it. */
export function messagesOf(turn: number, written: readonly Written[], before: Head): RowsMessage[] {
  const messages: RowsMessage[] = [];
  let [part, bytes, head]: [Written[], number, Head] = [[], 0, before];
  for (const one of written) {
    const size = 'body' in one.item ? Buffer.byteLength(String(one.item.body)) : JSON.stringify(one.item).length;
    if (part.length > 0 && bytes + size > MOST_BYTES) {
      messages.push({ turn, written: part, head });
      [part, bytes] = [[], 0];
    }
    part.push(one);
    bytes += size;
    head = one.head ?? head;
  }
  if (part.length > 0) messages.push({ turn, written: part, head });
  return messages;
}

/** The stream of a desk's rows in the fleet server. */
export class RowsStream {
  readonly #server: FleetServer;
  #acks: Acks | null = null;

  constructor(server: FleetServer) {
    this.#server = server;
  }

  /**
   * Puts a message behind the one with the number `after`, and behind no other. Returns its number; throws what the fleet server throws, and
   * `isOvertaken` tells where another message stands there.
   */
  async put(message: RowsMessage, after: number, timeoutMs: number): Promise<number> {
    const { names } = this.#server;
    const text = Buffer.from(JSON.stringify(message));
    const isLarge = text.length > 2 * MOST_BYTES;
    const notes = headers();
    notes.set(BEHIND, `${after}`);
    notes.set(ROWS, '1');
    if (isLarge) notes.set(ENCODING, 'gzip');
    return this.#opened().publish(names.subject, isLarge ? gzipSync(text) : text, notes, timeoutMs);
  }

  /** Only a desk puts anything there. */
  #opened(): Acks {
    if (this.#acks !== null) return this.#acks;
    const { connection, names } = this.#server;
    const acks = new Acks(connection, createInbox(`${names.inbox}.desk`));
    onRefusedRight(this.#server, (why) => acks.refused(why));
    this.#acks = acks;
    return acks;
  }

  /** The newest message that counts, of turn 0 where none does; null while there is nothing. Throws what the fleet server throws, and DeskError `fleet_refused` for what is no message of a desk. */
  async last(): Promise<Stored | null> {
    const { manager, names } = this.#server;
    const found = await manager.streams.getMessage(names.stream, { last_by_subj: names.subject }).catch(noneOrThrow);
    if (found === null) return null;
    const end = found.seq;
    for (let seq = end; seq > 0; seq -= 1) {
      const stored = seq === end ? this.#stored(found) : await this.at(seq);
      if (stored !== null) return { ...stored, end };
    }
    return { at: 0, end, turn: 0, written: [], head: { seq: 0, hash: GENESIS_HASH } };
  }

  /**
   * The number of the message from which to go on behind this row: the one that reached it, since what was written beside the rows may
   * stand between that and the next row. Throws DeskError `fleet_gap` where the stream begins later.
   */
  async firstBehind(seq: number): Promise<number> {
    const next = await this.at(await this.#firstWith(seq + 1));
    const firstRow = next?.written.find(({ head }) => head !== null)?.head?.seq;
    if (firstRow !== undefined && firstRow > seq + 1) {
      throw new DeskError('fleet_gap', `The stream begins at row ${firstRow}, and this journal ends at row ${seq}.`, {
        remedy:
          'Put a newer backup of the desk back into this folder first (makerdesk backup), then follow from there.',
      });
    }
    return this.#firstWith(seq);
  }

  /** The hash of a row as it stands in the stream; null where it does not. */
  async hashOf(seq: number): Promise<string | null> {
    const found = await this.at(await this.#firstWith(seq));
    const row = found?.written.find(({ head }) => head?.seq === seq)?.head;
    return row?.hash ?? (found?.head.seq === seq ? found.head.hash : null);
  }

  /** The number of the first message that reaches this row, or of the one that will. */
  async #firstWith(seq: number): Promise<number> {
    const { manager, names } = this.#server;
    const { state } = await manager.streams.info(names.stream);
    let [low, high] = [state.first_seq, state.last_seq + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      let found = await this.at(middle);
      // What does not count says nothing of where it stands.
      for (let before = middle - 1; found === null && before >= low; before -= 1) found = await this.at(before);
      if (found === null || found.head.seq < seq) low = middle + 1;
      else high = found.at;
    }
    return low;
  }

  /** Gives each message from this number on, as they come, until the signal is aborted. */
  async *from(at: number, signal: AbortSignal): AsyncGenerator<Stored> {
    const { js, names } = this.#server;
    const consumer = await js.consumers.get(names.stream, { opt_start_seq: at });
    const messages = await consumer.consume({ expires: ASKED_AGAIN_MS });
    const stop = () => void messages.close();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    for await (const message of messages) {
      if (signal.aborted) return;
      if (counts(message.headers)) yield read(message.data, message.headers?.get(ENCODING) === 'gzip', message.seq);
    }
  }

  /** The message with this number; null where there is none that counts. */
  async at(seq: number): Promise<Stored | null> {
    const { manager, names } = this.#server;
    return this.#stored(await manager.streams.getMessage(names.stream, { seq }).catch(noneOrThrow));
  }

  #stored(message: StoredMsg | null): Stored | null {
    if (message === null || !counts(message.header)) return null;
    return read(message.data, message.header.get(ENCODING) === 'gzip', message.seq);
  }
}

const ackSchema = z.object({
  seq: z.int().min(0).optional(),
  error: z.object({ code: z.int(), err_code: z.int(), description: z.string() }).optional(),
});

/**
 * Messages that the stream is to take, and its answers. The client's own way does the same, and makes two errors with their stacks for
 * each message, in case they are needed: they took 4 of 100 parts of the desk's main thread.
 */
class Acks {
  readonly #connection: NatsConnection;
  readonly #inbox: string;
  readonly #waiting = new Map<string, { taken: (answer: Msg) => void; failed: (why: Error) => void }>();
  #number = 0;

  constructor(connection: NatsConnection, inbox: string) {
    this.#connection = connection;
    this.#inbox = inbox;
    connection.subscribe(`${inbox}.*`, {
      callback: (error, message) => {
        if (error === null) this.#waiting.get(message.subject)?.taken(message);
      },
    });
  }

  /** The server refuses its user a right: whatever is waited for may never be answered. */
  refused(why: Error): void {
    for (const { failed } of [...this.#waiting.values()]) failed(why);
  }

  /** Returns the number of the message in the stream. Throws JetStreamApiError where the stream does not take it, and where no answer comes in time. */
  publish(subject: string, data: Uint8Array, notes: MsgHdrs, timeoutMs: number): Promise<number> {
    this.#number += 1;
    const reply = `${this.#inbox}.${this.#number}`;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => end(() => reject(new Error('timeout'))), timeoutMs);
      const end = (say: () => void) => {
        clearTimeout(late);
        this.#waiting.delete(reply);
        say();
      };
      this.#waiting.set(reply, {
        taken: (answer) =>
          end(() => {
            try {
              resolve(numberOf(answer));
            } catch (error) {
              reject(error);
            }
          }),
        failed: (why) => end(() => reject(why)),
      });
      try {
        this.#connection.publish(subject, data, { headers: notes, reply });
      } catch (error) {
        end(() => reject(error));
      }
    });
  }
}

/** Throws JetStreamApiError where the message was not taken, and Error where nobody is there who takes any. */
function numberOf(answer: Msg): number {
  if (answer.data.length === 0) throw new Error('no stream takes rows there');
  const { seq, error } = ackSchema.parse(answer.json());
  if (error !== undefined) throw new JetStreamApiError(error);
  if (seq === undefined) throw new Error('an answer without the number of the message');
  return seq;
}

/** Whether the fleet server did not take a message because another one stands where it was to stand. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence;
}

function counts(notes: MsgHdrs | undefined): boolean {
  return notes !== undefined && (notes.has(ROWS) || notes.has(BEHIND));
}

function noneOrThrow(error: unknown): null {
  if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.NoMessageFound) return null;
  throw error;
}

function read(data: Uint8Array, isPacked: boolean, at: number): Stored {
  try {
    const text = isPacked ? gunzipSync(data) : Buffer.from(data);
    return { at, end: at, ...messageSchema.parse(JSON.parse(text.toString('utf8'))) };
  } catch (cause) {
    throw new DeskError('fleet_refused', `Message ${at} of the stream is none of a desk.`, {
      remedy: 'Something else writes into this stream, or a newer program does. Give the desk a stream of its own.',
      cause,
    });
  }
}
