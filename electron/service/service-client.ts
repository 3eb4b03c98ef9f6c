import { type RfqOrderRecord, rfqOrderRecordSchema } from '../contract/service-view.ts';
import type { Hex } from '../protocol/address.ts';
import '../protocol/plain-issues.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { askService } from './ask-service.ts';
import { KeptAnswers } from './kept-answers.ts';
import { Turns } from './turns.ts';

/** How long an order that was fetched is not asked for again: one that may still change, and one that has ended. */
const KEPT_MS = 3_000;
const KEPT_ENDED_MS = 60_000;

const ENDED = new Set(['FULFILLED', 'CANCELLED', 'EXPIRED']);

export interface FetchedOrder {
  record: RfqOrderRecord;
  /** Unix milliseconds. */
  fetchedAt: number;
}

/** The service as the desk calls it when a person asks: spaced, and each answer kept for a moment. */
export class ServiceClient {
  readonly #now: () => number;
  readonly #turns: Turns;
  readonly #apiKey: (url: string) => string | undefined;
  readonly #orders: KeptAnswers<FetchedOrder>;

  /** `now` is Unix milliseconds; what `apiKey` gives for an address goes out as `X-API-KEY`. */
  constructor(now: () => number, turns = new Turns(), apiKey: (url: string) => string | undefined = () => undefined) {
    this.#now = now;
    this.#turns = turns;
    this.#apiKey = apiKey;
    this.#orders = new KeptAnswers(now);
  }

  /**
   * An order by its hash (PROTOCOL 4.1). Throws DeskError `unknown_order` when the service does not know it, `service_busy`
   * when too many questions wait already, `service_nonsense`, and what `askService` throws.
   */
  order(serviceUrl: string, orderHash: Hex): Promise<FetchedOrder> {
    const url = `${serviceUrl.replace(/\/$/, '')}/ft/order/${orderHash}`;
    return this.#orders.get(url, () => this.#fetch(url, orderHash), keptFor);
  }

  async #fetch(url: string, orderHash: Hex): Promise<FetchedOrder> {
    await this.#turns.take(url);
    const answer = await askService({ url, who: 'The service', notFound: 'unknown_order', apiKey: this.#apiKey(url) });
    const { data: record, error } = rfqOrderRecordSchema.safeParse(answer);
    if (record === undefined) {
      const issue = error.issues[0];
      const where = issue?.path.join('.') ?? '';
      throw nonsense(`${where === '' ? '' : `${where} `}${issue?.message}`);
    }
    if (record.orderHash !== undefined && record.orderHash !== orderHash) throw nonsense('it is of another order');
    return { record, fetchedAt: this.#now() };
  }
}

function keptFor({ record }: FetchedOrder): number {
  return ENDED.has(record.state ?? '') ? KEPT_ENDED_MS : KEPT_MS;
}

function nonsense(what: string): DeskError {
  return new DeskError('service_nonsense', `The service answered with something that is no order: ${what}.`);
}
