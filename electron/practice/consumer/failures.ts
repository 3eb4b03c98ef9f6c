import { BaseError, HttpRequestError, TimeoutError } from 'viem';

const LONGEST = 300;

/** A text that holds a stranger's words, fit for one line of a log: no line breaks or control characters, not too long. */
export function printable(text: string): string {
  const line = text.slice(0, LONGEST + 1).replace(/\p{C}+/gu, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** Whether a read failed because the node did not answer, which is no fault of whatever was read. */
export function isChainAway(error: unknown): boolean {
  const isTransport = (cause: unknown) => cause instanceof HttpRequestError || cause instanceof TimeoutError;
  return error instanceof BaseError && error.walk(isTransport) !== null;
}

/** Why a call failed, in words for a log line. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

/** The same in one line. */
export function firstLineOf(error: unknown): string {
  return describeFailure(error).split('\n')[0] ?? '';
}

/** The parsed JSON, or undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
