import type { Address } from '../../protocol/address.ts';
import { pause } from '../../protocol/pause.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { AnswerRules, Judged } from './answer-rules.ts';
import type { Complaints } from './complaints.ts';
import type { ConsumerFaults } from './consumer-faults.ts';
import type { ConsumerIntervals } from './consumer-intervals.ts';
import type { ConsumerStatus } from './consumer-status.ts';
import { holdFeed } from './feed-connection.ts';
import type { CachedMaker } from './maker-consumer.ts';
import { printable } from './printable.ts';
import { type Credentials, signedHeaders } from './signed-headers.ts';

export interface FeedOptions {
  surfaceUrl: string;
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
  const url = new URL(`${options.surfaceUrl.replace(/\/$/, '').replace(/^http/, 'ws')}${options.basePath}/ws`);
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
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
