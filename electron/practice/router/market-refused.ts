import { WireRefused } from '../wire-refused.ts';

/** What the market endpoints name in `errorType`; the text of PROTOCOL 17 is in `details`. */
type MarketErrorType =
  | 'InvalidInput'
  | 'UnsupportedChain'
  | 'PricingError'
  | 'InvalidPriceRoute'
  | 'StalePriceRoute'
  | 'PartnerNotAllowed'
  | 'TransactionWouldFail'
  | 'RateLimited'
  | 'NotFound'
  | 'ServiceUnavailable'
  | 'InternalError';

const STATUS: Record<MarketErrorType, number> = {
  InvalidInput: 400,
  UnsupportedChain: 422,
  PricingError: 400,
  InvalidPriceRoute: 400,
  StalePriceRoute: 400,
  PartnerNotAllowed: 422,
  TransactionWouldFail: 400,
  RateLimited: 429,
  NotFound: 404,
  ServiceUnavailable: 503,
  InternalError: 500,
};

/** A market request that is not answered: its code is the `errorType` of the answer, its message the `details` (PROTOCOL 17). */
export class MarketRefused extends WireRefused<MarketErrorType> {
  readonly status: number;

  constructor(errorType: MarketErrorType, details: string, cause?: unknown) {
    super(errorType, details, { cause });
    this.name = 'MarketRefused';
    this.status = STATUS[errorType];
  }
}

/** Nothing leads from one token to the other for this amount. */
export function noRoute(): MarketRefused {
  return new MarketRefused('PricingError', 'No route');
}
