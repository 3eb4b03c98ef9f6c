import WebSocket from 'ws';
import { z } from 'zod';
import { isSealed, partsOf, withoutKeys } from '../../../contract/sealed-url.ts';
import type { SourcePrice } from '../../../contract/sources.ts';
import { systemFault } from '../../../protocol/system-fault.ts';
import { pause } from '../../../time/pause.ts';
import { exactJson } from '../exact-json.ts';
import { type SourceRun, sourceOf } from '../source.ts';
import { sourcePrice } from '../source-price.ts';
import { MessagePaths, messagePathsSchema } from './message-paths.ts';

const HANDSHAKE_MS = 5_000;
/** Longest message. */
const MAX_MESSAGE_BYTES = 256 * 1024;
/** A feed that sends more than this within a second is let go. */
const MOST_MESSAGES = 10_000;
const MOST_BYTES = 16 * 1024 * 1024;
/** The newest message of each pair is read this often, milliseconds. */
const READ_EVERY_MS = 100;
/** How long it waits before it connects again: twice as long each time, milliseconds. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A connection that lasted so long was a good one: after it the wait begins anew. */
const GOOD_MS = 60_000;

const settingsSchema = z.strictObject({
  kind: z.literal('websocket'),
  url: z.url({ protocol: /^wss?$/ }),
  /** Messages that are sent once it is connected, each as JSON. They are no place for a key. */
  subscribe: z.array(z.json()).max(100).default([]),
  /** Where in a message the price of a pair stands. */
  pairs: messagePathsSchema,
  /** A connection on which nothing came for so long is made anew. */
  silentSeconds: z.int().min(1).max(600).default(30),
});
type Settings = z.infer<typeof settingsSchema>;

/** A feed of JSON messages. It is connected again when it breaks off, and waits longer each time. */
export const websocket = sourceOf({
  kind: 'websocket',
  settings: settingsSchema,
  pairsOf: ({ pairs }) => Object.keys(pairs),
  run,
});

async function run(settings: Settings, parts: SourceRun): Promise<void> {
  const { signal, heard } = parts;
  const paths = new MessagePaths(settings.pairs);
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    const began = performance.now();
    const ended = await listen(settings, paths, parts);
    if (signal.aborted) return;
    heard.failed(`${parts.who} ${ended}.`);
    if (performance.now() - began > GOOD_MS) waitMs = FIRST_WAIT_MS;
    await pause(waitMs, signal, { ref: false });
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
}

/** One connection, from its beginning to its end. Gives why it ended, as the end of a sentence. */
async function listen(
  settings: Settings,
  paths: MessagePaths,
  { heard, now, signal, whole }: SourceRun,
): Promise<string> {
  const url = whole(settings.url);
  if (isSealed(url)) return 'has a key in its address that is not at hand: give the whole address';
  const reader = new Reader(paths, { heard, now });
  const [address = ''] = url.split('#'); // a fragment goes nowhere, and is refused
  const { login, query } = partsOf(url);
  return new Promise((resolve) => {
    let why: string | null = null;
    const socket = new WebSocket(address, {
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    const end = (because: string) => {
      why ??= withoutKeys([...login, ...query], because);
      socket.terminate();
    };
    const stop = () => end('is not needed any more');
    const silent = setTimeout(
      () => end(`said nothing for ${settings.silentSeconds} s`),
      settings.silentSeconds * 1_000,
    );
    const reading = setInterval(() => reader.read(), READ_EVERY_MS);
    signal.addEventListener('abort', stop);
    socket.on('open', () => {
      silent.refresh();
      for (const message of settings.subscribe) socket.send(JSON.stringify(message));
    });
    socket.on('message', (data: Buffer) => {
      silent.refresh();
      const fault = reader.take(data);
      if (fault !== null) end(fault);
    });
    socket.on('error', (error) => end(wordsOf(error)));
    socket.on('close', (code) => {
      end(`closed the connection (${code})`);
      clearTimeout(silent);
      clearInterval(reading);
      signal.removeEventListener('abort', stop);
      resolve(why ?? '');
    });
  });
}

function wordsOf(error: Error & { code?: string }): string {
  const { code, message } = error;
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return `sent a message larger than ${MAX_MESSAGE_BYTES / 1024} KiB`;
  const status = /^Unexpected server response: ([0-9]+)$/.exec(message)?.[1];
  if (status !== undefined) return `answered with HTTP ${status} instead of a WebSocket`;
  return `cannot be reached: ${systemFault(error) ?? (message || code || 'no connection')}`;
}

/** Takes every message, and reads only the newest of each pair, ten times a second. */
class Reader {
  readonly #paths: MessagePaths;
  readonly #parts: Pick<SourceRun, 'heard' | 'now'>;
  readonly #newest = new Map<string, string>();
  #updates = 0;
  #second = { at: 0, messages: 0, bytes: 0 };

  constructor(paths: MessagePaths, parts: Pick<SourceRun, 'heard' | 'now'>) {
    this.#paths = paths;
    this.#parts = parts;
  }

  /** Why the feed has to be let go, or null. */
  take(data: Buffer): string | null {
    const at = Math.floor(performance.now() / 1_000);
    if (this.#second.at !== at) this.#second = { at, messages: 0, bytes: 0 };
    this.#second.messages += 1;
    this.#second.bytes += data.length;
    if (this.#second.messages > MOST_MESSAGES) return `sent more than ${MOST_MESSAGES} messages in a second`;
    if (this.#second.bytes > MOST_BYTES) return `sent more than ${MOST_BYTES / 1024 / 1024} MiB in a second`;
    const text = data.toString('utf8');
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return 'sent something that is not JSON';
    }
    for (const pair of this.#paths.pairsIn(message)) {
      this.#newest.set(pair, text);
      this.#updates += 1;
    }
    return null;
  }

  read(): void {
    if (this.#newest.size === 0) return;
    const { heard, now } = this.#parts;
    const said = new Map<string, SourcePrice | string>();
    for (const [pair, text] of this.#newest) {
      said.set(pair, sourcePrice(this.#paths.said(exactJson(text), pair), now()));
    }
    const updates = this.#updates;
    this.#newest.clear();
    this.#updates = 0;
    heard.heard(said, { updates });
  }
}
