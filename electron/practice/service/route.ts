import type { z } from 'zod';
import { WireRefused } from '../wire-refused.ts';

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

/** The service's own texts (PROTOCOL 17) that a schema's issue may carry. */
const OWN_TEXT = /^Invalid (srcToken|destToken)$/;

/**
 * Reads what came in by its schema.
 * @throws WireRefused `Invalid srcToken`, `Invalid destToken`, `Invalid priceRoute` (PROTOCOL 17), else the field and what is wrong
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  const message = issue?.message ?? 'it has another form';
  const missing = /^(srcToken|destToken)$/.test(field) && `Invalid ${field}`;
  if (field.startsWith('priceRoute')) throw new WireRefused('InvalidPriceRoute', 'Invalid priceRoute');
  if (OWN_TEXT.test(message)) throw new WireRefused('InvalidInput', message);
  throw new WireRefused('InvalidInput', missing || `${field} ${message}`.trim());
}

/** A query as an object; of a name that comes twice the last counts. */
export function queryObject(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(query);
}

/** @throws WireRefused when the body is not JSON */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new WireRefused('InvalidInput', 'The body is not JSON.');
  }
}
