import type { FirmTrace } from './firm-trace.ts';

/** A firm request that was authenticated and not parsed yet. */
export interface FirmRequestInput {
  chainId: number;
  body: Buffer;
  /** Domain of the counterparty that signed the request; null without authentication. */
  counterparty: string | null;
  /** What it was signed with, 64 hex digits in lower case; absent where nobody signs, or one signature may give many orders. */
  signature?: string | undefined;
  /** Unix milliseconds. */
  receivedAt: number;
  /** The same moment on the desk's monotonic clock, milliseconds. */
  receivedMonotonic: number;
  /** The caller's own trace, as they name it: an outsider's text. */
  traceparent?: string | undefined;
  /** Absent unless traces were asked for. */
  trace?: FirmTrace | undefined;
}

export interface FirmAnswer {
  status: number;
  body: string;
}

/** Called exactly once. What it is given is on its way to the socket when it returns. */
export type Respond = (answer: FirmAnswer) => void;
