/** A firm request that was authenticated and not parsed yet. */
export interface FirmRequestInput {
  chainId: number;
  body: Buffer;
  /** Domain of the counterparty that signed the request; null without authentication. */
  counterparty: string | null;
  /** Unix milliseconds. */
  receivedAt: number;
  /** The same moment on the desk's monotonic clock, milliseconds. */
  receivedMonotonic: number;
}

export interface FirmAnswer {
  status: number;
  body: string;
}

/** Called exactly once. What it is given is on its way to the socket when it returns. */
export type Respond = (answer: FirmAnswer) => void;
