import { DeskError, type ErrorCode } from '../protocol/desk-error.ts';

/**
 * What became of a request that failed: it never left (`not_sent`), the service said no (`refused`), or it may have been
 * done (`unknown`): whoever asked for something that must not happen twice looks it up first.
 */
export type Fate = 'not_sent' | 'refused' | 'unknown';

interface FaultFields {
  fate: Fate;
  /** HTTP status; null without an answer. */
  status?: number | null;
  /** The service's own words (PROTOCOL 17): its name of the error, and its text. */
  errorType?: string | null;
  said?: string | null;
  /** How long the service asks to be left alone. */
  retryAfterMs?: number | null;
  timedOut?: boolean;
  /** It builds the order with a permit only. */
  permitRequired?: boolean;
  remedy?: string;
  cause?: unknown;
}

/** Everything that goes wrong between the desk and a service: `service_unreachable`, `service_refused`, `service_nonsense`. */
export class ServiceFault extends DeskError {
  readonly fate: Fate;
  readonly status: number | null;
  readonly errorType: string | null;
  readonly said: string | null;
  readonly retryAfterMs: number | null;
  readonly timedOut: boolean;
  readonly permitRequired: boolean;

  constructor(code: ErrorCode, message: string, fields: FaultFields) {
    super(code, message, { remedy: fields.remedy, cause: fields.cause });
    this.name = 'ServiceFault';
    this.fate = fields.fate;
    this.status = fields.status ?? null;
    this.errorType = fields.errorType ?? null;
    this.said = fields.said ?? null;
    this.retryAfterMs = fields.retryAfterMs ?? null;
    this.timedOut = fields.timedOut ?? false;
    this.permitRequired = fields.permitRequired ?? false;
  }
}
