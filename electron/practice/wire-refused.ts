/** What the service names in `errorType` (PROTOCOL 7, 17), and the HTTP status that goes with it. */
const STATUS = {
  InvalidInput: 400,
  UnsupportedChain: 422,
  NotFound: 404,
  RateLimited: 429,
  ServiceUnavailable: 503,
  InternalError: 500,
  InvalidSignature: 400,
  // Of swaps.
  PricingError: 400,
  InvalidPriceRoute: 400,
  StalePriceRoute: 400,
  PartnerNotAllowed: 422,
  TransactionWouldFail: 400,
  // Of intents.
  NoRoute: 400,
  TokenNotSupported: 400,
  GasCostTooHigh: 400,
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
  OrderExpired: 400,
  InsufficientAllowance: 400,
  InsufficientBalance: 400,
  InvalidDeadline: 400,
  AmountTooSmall: 400,
  OrderAlreadySettled: 400,
  TooManyOrders: 400,
} as const;

export type ServiceErrorType = keyof typeof STATUS;

/** A request that the practice service does not do: `code` is the `errorType` of the answer, the message its `details`. */
export class WireRefused extends Error {
  readonly code: ServiceErrorType;
  readonly status: number;

  /** The details of an error that PROTOCOL 17 names by its type are that name. */
  constructor(
    code: ServiceErrorType,
    details: string = code,
    { status = STATUS[code], cause }: { status?: number; cause?: unknown } = {},
  ) {
    super(details, { cause });
    this.name = 'WireRefused';
    this.code = code;
    this.status = status;
  }
}
