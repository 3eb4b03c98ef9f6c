import type { Judged } from './answer-rules.ts';
import { isSuccess, readErrorAnswer } from './error-answer.ts';
import { describeFailure, type SurfaceClient } from './surface-client.ts';

/** How one poll went. */
export interface Reading<T> {
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
export async function pollOnce<T>(
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
