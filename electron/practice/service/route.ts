/** What somebody asked of the service's address. */
export interface ServiceRequest {
  method: string;
  /** Decoded nowhere: `/ft/order/0x…`. */
  path: string;
  query: URLSearchParams;
  body: string;
  /** What came as `X-API-KEY`. */
  apiKey?: string | undefined;
  /** The address it came from. */
  from?: string | undefined;
}

export interface ServiceAnswer {
  status: number;
  /** Is sent as JSON. */
  body: unknown;
}

/** Answers what is its own; null lets the next one look at the request. */
export type RouteHandler = (request: ServiceRequest) => Promise<ServiceAnswer | null>;

/** An error as every part of the service gives it (PROTOCOL 17, 24.1; `errorType` is one of the named codes). */
export function failure(status: number, errorType: string, details: string): ServiceAnswer {
  return { status, body: { errorType, details } };
}
