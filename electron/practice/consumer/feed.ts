import { WebSocket } from 'ws';
import type { Address } from '../../protocol/address.ts';
import { pause } from '../../time/pause.ts';
import type { PracticeLog } from '../practice-log.ts';
import { type AnswerRules, isSuccess, type Judged, readErrorAnswer } from './answer-rules.ts';
import type { Complaints } from './complaints.ts';
import type { ConsumerIntervals } from './consumer-intervals.ts';
import { jsonOf, printable } from './failures.ts';
import type { CachedMaker, ConsumerStatus } from './maker-consumer.ts';
import {
  type ConsumerFaults,
  type Credentials,
  inTurn,
  LONGEST_ANSWER_BYTES,
  signedHeaders,
} from './surface-client.ts';

export interface FeedOptions {
  /** Each is connected to in turn. */
  surfaceUrls: readonly string[];
  basePath: string;
  counterparty: Credentials;
  rules: AnswerRules;
  intervals: ConsumerIntervals;
  faults: ConsumerFaults;
  complaints: Complaints;
  take: (parts: FeedParts, isFirst: boolean) => void;
  /** Kept up to date here. */
  status: ConsumerStatus['socket'];
  now: () => number;
  log: PracticeLog;
}

/**
 * Stays on the maker's channel (PROTOCOL 6) until the signal comes: connects, takes what it sends, and after every end
 * connects again, later each time nothing came of it. That a maker closes the channel or refuses it is its right.
 */
export async function followFeed(options: FeedOptions, signal: AbortSignal): Promise<void> {
  const { rules, intervals, faults, complaints, take, status, now, log } = options;
  const { counterparty } = options;
  const next = inTurn(options.surfaceUrls);
  let wait = intervals.reconnectFirst;

  function onMessage(text: string): string | null {
    const isFirst = status.messages === 0;
    const { value, faults: wrong, message } = judgeMessage(text, rules, isFirst);
    if (message !== null) log.info(printable(`the channel says: ${message}`));
    if (value === null && isFirst) return wrong[0] ?? 'cannot be read';
    for (const fault of wrong) complaints.add(`the channel's message ${fault}`);
    if (value === null) return null;
    status.messages += 1;
    wait = intervals.reconnectFirst;
    take(value, isFirst);
    return null;
  }

  while (!signal.aborted) {
    if (faults.slowMs > 0) await pause(faults.slowMs, signal);
    if (signal.aborted) return;
    const url = new URL(`${next().replace(/^http/, 'ws')}${options.basePath}/ws`);
    const headers = signedHeaders(counterparty, { method: 'GET', path: url.pathname, body: '' }, { now, faults });
    const onOpen = () => {
      Object.assign(status, { connected: true, since: now(), messages: 0, why: null });
      log.info('the channel is open');
    };
    status.messages = 0;
    const end = await holdFeed({ url: url.href, headers, patienceMs: intervals.patience, signal, onOpen, onMessage });
    const why = printable(end.why);
    if (signal.aborted) return void Object.assign(status, { connected: false, since: now(), why });
    if (end.fault !== null) complaints.add(`the channel ${end.fault}`);
    if (status.connected || status.why !== why) log.info(`there is no channel: ${why}`);
    if (status.connected) status.since = now();
    Object.assign(status, { connected: false, why });
    await pause(wait, signal);
    wait = Math.min(wait * 2, intervals.reconnectLast);
  }
}

const PARTS = ['tokens', 'pairs', 'prices', 'blacklist'] as const;

/** A message of the channel, judged part by part: a part that cannot be used is left out. */
interface FeedParts extends Partial<Omit<CachedMaker, 'blacklist'>> {
  blacklist?: Address[];
}

/**
 * Judges a message of the channel (PROTOCOL 6): any of the GETs' bodies in one object and a `message`. The parts are judged
 * as the GETs are; the first message must have all four, otherwise the value is null. Never throws.
 */
export function judgeMessage(text: string, rules: AnswerRules, isFirst: boolean): Judged<FeedParts> {
  const nothing = (fault: string): Judged<FeedParts> => ({ value: null, faults: [fault], message: null });
  const json = parseObject(text);
  if (json === null) return nothing('is no JSON object');
  const missing = PARTS.filter((part) => !Object.hasOwn(json, part));
  if (isFirst && missing.length > 0) return nothing(`is the first one and has no ${missing.join(', ')}`);
  const faults: string[] = [];
  const judge = <T>(part: (typeof PARTS)[number], rule: (body: unknown) => Judged<T>): T | undefined => {
    if (!Object.hasOwn(json, part)) return undefined;
    const judged = rule({ [part]: json[part] });
    faults.push(...judged.faults);
    return judged.value ?? undefined;
  };
  const value = {
    tokens: judge('tokens', rules.tokens),
    pairs: judge('pairs', rules.pairs),
    prices: judge('prices', rules.prices),
    blacklist: judge('blacklist', rules.blacklist),
  };
  const strange = Object.keys(json).filter((key) => key !== 'message' && !PARTS.some((part) => part === key));
  if (strange.length > 0) faults.push(`holds ${strange.slice(0, 5).join(', ')}, which belongs to no message`);
  const { message } = json;
  if (message !== undefined && typeof message !== 'string') faults.push('has a message that is no text');
  return { value, faults, message: typeof message === 'string' ? message : null };
}

function parseObject(text: string): Record<string, unknown> | null {
  const json = jsonOf(text);
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : null;
}

/** How a connection to the channel ended. */
export interface FeedEnd {
  why: string;
  /** What the maker did wrong, or null: closing and refusing are its right (PROTOCOL 6.4). */
  fault: string | null;
}

const LONGEST_REFUSAL_BYTES = 65_536;

/**
 * One connection to the channel, from the handshake to its end, whatever comes. `onMessage` gives back why the
 * connection is to be ended, or null. Pings at every `patienceMs`, and a connection that does not answer is cut.
 */
export function holdFeed(options: {
  url: string;
  headers: Record<string, string>;
  patienceMs: number;
  signal: AbortSignal;
  onOpen: () => void;
  onMessage: (text: string) => string | null;
}): Promise<FeedEnd> {
  const { url, headers, patienceMs, signal, onOpen, onMessage } = options;
  return new Promise((resolve) => {
    let seen = false;
    let alive = true;
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: patienceMs,
      maxPayload: LONGEST_ANSWER_BYTES,
      perMessageDeflate: false,
    });
    const end = (why: string, fault: string | null = null) => {
      clearInterval(pulse);
      signal.removeEventListener('abort', abort);
      socket.terminate();
      resolve({ why, fault });
    };
    const abort = () => end('the service ended it');
    const pulse = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (!seen) return end('no first message', `sends no first message within ${patienceMs / 1000} s`);
      if (!alive) return end('it does not answer pings');
      alive = false;
      socket.ping();
    }, patienceMs);
    signal.addEventListener('abort', abort);
    socket.on('open', onOpen);
    socket.on('pong', () => {
      alive = true;
    });
    socket.on('message', (data) => {
      if (signal.aborted) return;
      alive = true;
      seen = true;
      const fault = onMessage(String(data));
      if (fault !== null) end('a message that cannot be used', fault);
    });
    socket.on('unexpected-response', (request, response) => {
      const parts: Buffer[] = [];
      let length = 0;
      const status = response.statusCode ?? 0;
      const answered = () => {
        clearTimeout(timer);
        request.destroy();
        const { sentence, isWellFormed } = readErrorAnswer(jsonOf(Buffer.concat(parts).toString('utf8')));
        const why = `the handshake is refused with ${status}: ${sentence}`;
        end(why, isWellFormed && !isSuccess(status) ? null : why);
      };
      const timer = setTimeout(answered, patienceMs);
      response.on('data', (part: Buffer) => {
        length += part.length;
        parts.push(part);
        if (length > LONGEST_REFUSAL_BYTES) answered();
      });
      response.on('end', answered);
      response.on('error', answered);
    });
    // What breaks the protocol of WebSockets has such a code; what breaks the connection does not.
    socket.on('error', (error: Error & { code?: string }) => {
      end(error.message, error.code?.startsWith('WS_ERR') ? `breaks the protocol: ${error.message}` : null);
    });
    socket.on('close', (code, reason) => end(`closed with ${code} ${String(reason)}`.trim()));
    if (signal.aborted) abort();
  });
}
