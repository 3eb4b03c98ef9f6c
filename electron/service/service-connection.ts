import type { z } from 'zod';
import { DeskError, type ErrorCode } from '../protocol/desk-error.ts';
import { intentNames } from '../protocol/intent-wire.ts';
import { askService } from './ask-service.ts';
import { KeptAnswers } from './kept-answers.ts';
import { ServiceFault } from './service-fault.ts';
import type { ServiceBudget, Turns } from './turns.ts';

/** How often a question that changes nothing is asked before its failure is told. */
const ATTEMPTS = 3;
/** A service that wants to be left alone for longer than this is not waited for. */
const PATIENCE_MS = 10_000;
/** How long it is left alone when it counts calls and does not say. */
const COOL_DOWN_MS = 2_000;
const TIMEOUT_MS = 10_000;

export interface ConnectionOptions {
  serviceUrl: string;
  /** What this service calls its intent product in paths: `intent`, `delta`. Its mode and its block are named after it. */
  intentSegment?: string;
  /** One for the whole process. */
  turns: Turns;
  /** Unix milliseconds. */
  now: () => number;
  /** Goes out as `X-API-KEY` when there is one. */
  apiKey?: () => string | undefined;
  /** For one answer. */
  timeoutMs?: number;
  /** Ends whatever waits. */
  signal?: AbortSignal;
}

interface Question<S extends z.ZodType> {
  path: string;
  query?: Record<string, string>;
  answer: S;
  /** The code for a 404. */
  notFound?: ErrorCode;
}

/**
 * One service (PROTOCOL, part two), on which the operations of market and intents are called: `serviceUrl` may have a path. Requests take
 * their turns; only questions that change nothing are asked again by themselves. Its errors are ServiceFaults, and DeskError
 * `service_busy`.
 *
 * It needs no desk: this folder and protocol/ are the whole client.
 * @example
 * const turns = new Turns();
 * const service = new ServiceConnection({ serviceUrl: 'http://127.0.0.1:8790', turns, now: Date.now });
 * const quote = await combinedQuote(service, { chainId, srcToken, destToken, amount, srcDecimals, destDecimals });
 */
export class ServiceConnection {
  readonly intent: ReturnType<typeof intentNames>;
  readonly #options: ConnectionOptions;
  readonly #base: string;
  readonly #kept: KeptAnswers<unknown>;
  readonly #isForOrders: boolean;

  /** `sharing` is what is kept of its answers by the connection that this one is a view of. */
  constructor(options: ConnectionOptions, sharing?: KeptAnswers<unknown>) {
    const { serviceUrl, intentSegment = 'intent', now } = options;
    this.intent = intentNames(intentSegment);
    this.#options = options;
    this.#base = serviceUrl.replace(/\/$/, '');
    this.#kept = sharing ?? new KeptAnswers(now);
    this.#isForOrders = sharing !== undefined;
  }

  /** The same service as orders under way ask it: before everybody else, and on what is kept of the day for them. */
  forOrders(): ServiceConnection {
    return new ServiceConnection(this.#options, this.#kept);
  }

  /** Asks with GET, up to three times; an answer is kept as long as `keptFor` says, in milliseconds. */
  async get<S extends z.ZodType>(
    question: Question<S> & { keptFor?: (answer: z.output<S>) => number },
  ): Promise<z.output<S>> {
    const { keptFor = () => 0 } = question;
    const url = this.#urlOf(question);
    const ask = () => {
      // Before it is under way: an order that asks the same must not share the refusal.
      if (!this.#isForOrders) this.checkBudget();
      return this.#askAgain(url, question);
    };
    return (await this.#kept.get(url, ask, (answer) => keptFor(answer as z.output<S>))) as z.output<S>;
  }

  /** Asks with POST, once: what became of it is in the error's `fate`. */
  post<S extends z.ZodType>(question: Question<S> & { body: unknown }): Promise<z.output<S>> {
    return this.#askOnce(this.#urlOf(question), question, question.body);
  }

  /** What was asked of this service today, and how much it takes. */
  budget(): ServiceBudget {
    return this.#options.turns.budget(this.#base);
  }

  /** Throws DeskError `service_day_spent` once what is left of the day's questions is kept for orders under way. */
  checkBudget(): void {
    this.#options.turns.checkBudget(this.#base);
  }

  #urlOf({ path, query = {} }: Question<z.ZodType>): string {
    const search = new URLSearchParams(query).toString();
    return `${this.#base}${path}${search === '' ? '' : `?${search}`}`;
  }

  async #askAgain<S extends z.ZodType>(url: string, question: Question<S>): Promise<z.output<S>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#askOnce(url, question);
      } catch (error) {
        if (attempt === ATTEMPTS || !isWorthAsking(error) || this.#options.signal?.aborted) throw error;
      }
    }
  }

  async #askOnce<S extends z.ZodType>(url: string, question: Question<S>, post?: unknown): Promise<z.output<S>> {
    const { turns, signal, timeoutMs = TIMEOUT_MS, apiKey } = this.#options;
    await turns.take(url, { signal, isForOrder: this.#isForOrders });
    try {
      const { notFound } = question;
      const raw = await askService({ url, who: 'The service', post, notFound, signal, timeoutMs, apiKey: apiKey?.() });
      return checkedAnswer(question.answer, raw);
    } catch (error) {
      if (error instanceof ServiceFault && error.status === 429) {
        turns.hold(url, Math.min(error.retryAfterMs ?? COOL_DOWN_MS, PATIENCE_MS));
      }
      throw error;
    }
  }
}

/** The answer by its schema. Throws ServiceFault `service_nonsense`, naming the place. */
function checkedAnswer<S extends z.ZodType>(schema: S, raw: unknown): z.output<S> {
  const { data, error } = schema.safeParse(raw);
  if (!error) return data;
  throw nonsense(wordsOf(error));
}

/** An answer that is well-formed JSON and yet of no use. */
export function nonsense(what: string): ServiceFault {
  const sentence = `The service answered with something that cannot be used: ${what}.`;
  return new ServiceFault('service_nonsense', sentence, { fate: 'unknown' });
}

/** What is asked, by its schema, before it is asked. Throws DeskError `bad_ask`, naming the field. */
export function checkedAsk<S extends z.ZodType>(schema: S, ask: unknown): z.output<S> {
  const { data, error } = schema.safeParse(ask);
  if (!error) return data;
  throw new DeskError('bad_ask', `The service was not asked: ${wordsOf(error)}.`);
}

function wordsOf({ issues: [issue] }: z.ZodError): string {
  return [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ');
}

function isWorthAsking(error: unknown): boolean {
  if (!(error instanceof ServiceFault)) return false;
  if (error.status === 429) return (error.retryAfterMs ?? 0) <= PATIENCE_MS;
  return error.code === 'service_unreachable' && !error.timedOut;
}
