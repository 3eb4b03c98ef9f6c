import { WireRefused } from '../wire-refused.ts';

/** What the order endpoints name in `errorType` (PROTOCOL 7; the set is open). */
export type OrderErrorType =
  | 'InvalidInput'
  | 'InvalidSignature'
  | 'UnsupportedChain'
  | 'NotFound'
  | 'ServiceUnavailable'
  | 'InternalError';

const STATUS: Record<OrderErrorType, number> = {
  InvalidInput: 400,
  InvalidSignature: 400,
  UnsupportedChain: 400,
  NotFound: 404,
  ServiceUnavailable: 503,
  InternalError: 500,
};

/** A request that the order service does not do: its code is the `errorType` of the answer, its message the `details`. */
export class OrderRefused extends WireRefused<OrderErrorType> {
  readonly status: number;

  constructor(errorType: OrderErrorType, details: string, options: { status?: number; cause?: unknown } = {}) {
    super(errorType, details, { cause: options.cause });
    this.name = 'OrderRefused';
    this.status = options.status ?? STATUS[errorType];
  }
}
