import { BaseError, HttpRequestError, TimeoutError } from 'viem';

/** Whether a read failed because the node did not answer, which is no fault of whatever was read. */
export function isChainAway(error: unknown): boolean {
  const isTransport = (cause: unknown) => cause instanceof HttpRequestError || cause instanceof TimeoutError;
  return error instanceof BaseError && error.walk(isTransport) !== null;
}
