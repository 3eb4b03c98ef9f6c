import { pause } from '../../time/pause.ts';
import type { PracticeLog } from '../practice-log.ts';
import { isSuccess, type Judged, readErrorAnswer } from './answer-rules.ts';
import type { Complaints } from './complaints.ts';
import type { ConsumerIntervals } from './consumer-intervals.ts';
import { describeFailure, printable } from './failures.ts';
import type { ConsumerMode, EndpointStatus } from './maker-consumer.ts';
import type { SurfaceClient } from './surface-client.ts';

/** What one endpoint's polling needs to know. */
export interface Polled<T> {
  path: string;
  everyMs: number;
  judge: (body: unknown) => Judged<T>;
  take: (value: T) => void;
  /** Called with the reason when nothing could be used. */
  fail?: (failure: string) => void;
  /** Kept up to date here. */
  status: EndpointStatus;
}

export interface PollingContext {
  client: SurfaceClient;
  mode: ConsumerMode;
  intervals: ConsumerIntervals;
  complaints: Complaints;
  now: () => number;
  log: PracticeLog;
}

/** An endpoint before its first poll. */
export function neverPolled(): EndpointStatus {
  return { at: null, status: null, fault: null, pausedUntil: null };
}

/**
 * Polls one endpoint until the signal comes, each time only after the poll before has ended. In strict mode its
 * polling rests after too many failures, which no success in between takes back, as at the public adapter.
 */
export async function pollEndpoint<T>(polled: Polled<T>, context: PollingContext, signal: AbortSignal): Promise<void> {
  const { path, status, everyMs } = polled;
  const { client, mode, intervals, complaints, now, log } = context;
  let failures = 0;
  let lastFailure: string | null = null;

  function tell(failure: string | null, faults: readonly string[]): void {
    for (const fault of faults) complaints.add(`${path} ${fault}`);
    if (failure === null && lastFailure !== null) log.info(`${path} answers again`);
    if (failure !== null && failure !== lastFailure && faults.length === 0) log.warn(printable(`${path} ${failure}`));
    lastFailure = failure;
  }

  while (!signal.aborted) {
    const reading = await pollOnce(path, polled.judge, { client, patienceMs: intervals.patience, signal });
    if (signal.aborted) return;
    const { value, failure, faults, message } = reading;
    tell(failure, faults);
    Object.assign(status, { at: now(), status: reading.status, fault: faults[0] ?? failure });
    if (status.fault !== null) status.fault = printable(status.fault);
    if (message !== null) log.info(printable(`${path} says: ${message}`));
    if (value !== null) polled.take(value);
    if (failure !== null) {
      polled.fail?.(`${path} ${failure}`);
      failures += 1;
    }
    if (mode === 'strict' && failures >= intervals.failuresBeforeRest) {
      failures = 0;
      log.warn(
        `${path} has failed ${intervals.failuresBeforeRest} times and is not polled for ${intervals.rest / 1000} s`,
      );
      status.pausedUntil = now() + intervals.rest;
      await pause(intervals.rest, signal);
      status.pausedUntil = null;
    } else await pause(everyMs, signal);
  }
}

/** How one poll went. */
interface Reading<T> {
  /** The HTTP status, or null without an answer. */
  status: number | null;
  /** What can be used, or null. */
  value: T | null;
  /** Why nothing can be used: the last poll's state, half a sentence; null when it can. */
  failure: string | null;
  /** What the maker did wrong, half a sentence each. An error in good form is nothing wrong. */
  faults: string[];
  message: string | null;
}

/** Asks one of the four GETs and judges what comes, whatever comes. Never throws; the signal ends it. */
async function pollOnce<T>(
  path: string,
  judge: (body: unknown) => Judged<T>,
  ask: { client: SurfaceClient; patienceMs: number; signal: AbortSignal },
): Promise<Reading<T>> {
  const nothing = { status: null, value: null, message: null };
  try {
    const { status, body } = await ask.client.call(path, ask);
    if (!isSuccess(status)) {
      const { sentence, isWellFormed } = readErrorAnswer(body);
      const failure = `answers ${status}: ${sentence}`;
      return { ...nothing, status, failure, faults: isWellFormed ? [] : [failure] };
    }
    if (body === undefined) return { ...nothing, status, failure: 'is not JSON', faults: ['is not JSON'] };
    const judged = judge(body);
    const faults = judged.faults.map((fault) => `is malformed: ${fault}`);
    const failure = judged.value === null ? (faults[0] ?? 'is malformed') : null;
    return { status, value: judged.value, failure, faults, message: judged.message };
  } catch (error) {
    const failure = `fails: ${describeFailure(error)}`;
    return { ...nothing, failure, faults: ask.signal.aborted ? [] : [failure] };
  }
}
