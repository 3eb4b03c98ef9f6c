import { WireRefused } from '../wire-refused.ts';

/** What the intent endpoints name in `errorType`; the text of PROTOCOL 17 is in `details`. */
const STATUS = {
  InvalidInput: 400,
  UnsupportedChain: 422,
  NoRoute: 400,
  TokenNotSupported: 400,
  GasCostTooHigh: 400,
  PartnerNotAllowed: 422,
  InvalidRoute: 400,
  MissingDeadline: 400,
  InvalidTWAPParams: 400,
  InvalidTWAPBuyParams: 400,
  InvalidTWAPSrcAmount: 400,
  InvalidTWAPBuyDestAmount: 400,
  InvalidExternalOrderParams: 400,
  InvalidProductiveOrderParams: 400,
  PermitRequired: 400,
  InvalidPermit: 400,
  InvalidSignature: 400,
  OrderExpired: 400,
  InsufficientAllowance: 400,
  InsufficientBalance: 400,
  InvalidDeadline: 400,
  AmountTooSmall: 400,
  OrderAlreadySettled: 400,
  TooManyOrders: 400,
  NotFound: 404,
  RateLimited: 429,
  ServiceUnavailable: 503,
  InternalError: 500,
} as const;

export type IntentErrorType = keyof typeof STATUS;

/** A request about intents that is not done: its code is the `errorType` of the answer, its message the `details` (PROTOCOL 17). */
export class IntentRefused extends WireRefused<IntentErrorType> {
  readonly status: number;

  /** The details of an error that PROTOCOL 17 names by its type are that name. */
  constructor(errorType: IntentErrorType, details: string = errorType, cause?: unknown) {
    super(errorType, details, { cause });
    this.name = 'IntentRefused';
    this.status = STATUS[errorType];
  }
}

/** No liquidity, wrong decimals, or no lane between the chains (PROTOCOL 17). */
export function noIntentRoute(): IntentRefused {
  return new IntentRefused('NoRoute', 'No route');
}
