/**
 * A request that the practice service does not do, in the words of its wire (PROTOCOL 7, 17): `code` is the `errorType` of
 * the answer, the message its `details`, `status` that of HTTP.
 */
export abstract class WireRefused<ErrorType extends string = string> extends Error {
  readonly code: ErrorType;
  abstract readonly status: number;

  constructor(errorType: ErrorType, details: string, options: { cause?: unknown }) {
    super(details, options);
    this.code = errorType;
  }
}
