import type { Database } from 'better-sqlite3';
import { buildChainBook } from '../book/chain-book.ts';
import { loadBook } from '../book/load-book.ts';
import type { Protection, Tried } from '../contract/protections.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { WhatIfProgress } from '../contract/what-if.ts';
import { RuleTrial, WARM_UP_MS } from '../guard/rule-trial.ts';
import { BOOK } from '../journal/book/slice.ts';
import { type FlowEvent, readFlow, rowDollars } from '../journal/protections/flow.ts';
import type { QuoteBody } from '../journal/quotes/events.ts';
import type { Outlined } from './decide-again.ts';

type Asked = Extract<FlowEvent, { kind: 'asked' }>;

/**
 * Other protections over a stretch of the journal: they count what would have been signed, at its other price where that is another, and
 * the fills that there were of it. With the ladders and limits of then they trip as they would have, event by event.
 */
export class RulesThen {
  readonly #trial: RuleTrial;
  readonly #flow: Generator<FlowEvent>;
  readonly #since: number;
  readonly #until: number;
  readonly #dollars: ReturnType<typeof rowDollars>;
  /** The first event that was not taken yet. */
  #next: FlowEvent | undefined;
  /** Quotes that would have been refused before a rule was asked, which take their fills along. */
  readonly #notAsked = new Set<number>();

  constructor(
    db: Database,
    { protections, since, until }: { protections: readonly Protection[]; since: number; until: number },
  ) {
    const { chains } = loadBook(BOOK.queries(db).storedBook());
    this.#trial = new RuleTrial(protections, [...chains.values()].map(buildChainBook), since);
    this.#since = since;
    this.#until = until;
    this.#dollars = rowDollars(db);
    this.#flow = readFlow(db)(Math.max(0, since - WARM_UP_MS), until);
    this.#next = this.#read();
  }

  /** Counts what was in the windows before the stretch. */
  *dayBefore(): Generator<WhatIfProgress, void> {
    for (let done = 1; this.#next !== undefined && this.#next.time < this.#since; done += 1) {
      this.#takeNext(this.#next);
      yield { part: 'progress', reading: 'before', done, of: null };
    }
  }

  /** Takes what happened up to a row of the journal, and that row too, as it was. */
  takeUpTo(seq: number): void {
    while (this.#next !== undefined && this.#next.seq <= seq) this.#takeNext(this.#next);
  }

  /** Why a request would have been refused, by the rules last of all; null where it would have been signed. */
  refusal(request: { seq: number; time: number; body: QuoteBody; decided: Outlined }): RefusalCode | null {
    const { seq, body, decided } = request;
    this.takeUpTo(seq - 1);
    if (this.#next?.seq === seq) this.#next = this.#read();
    if (decided.code !== null) {
      if (body.code === null) this.#notAsked.add(seq);
      return decided.code;
    }
    const event = this.#askedOf(request);
    return event === null ? null : this.#trial.take(event);
  }

  /** What the rules came to; the rest of the stretch is taken before. */
  result(): Tried {
    this.takeUpTo(Number.MAX_SAFE_INTEGER);
    return this.#trial.result(this.#until);
  }

  #read(): FlowEvent | undefined {
    return this.#flow.next().value ?? undefined;
  }

  #takeNext(event: FlowEvent): void {
    this.#next = this.#read();
    if (event.kind === 'filled' && this.#notAsked.has(event.quoteSeq)) return;
    this.#trial.take(event);
  }

  /** The request as rules count it, with the amounts that it would have had. */
  #askedOf({
    seq,
    time,
    body,
    decided,
  }: {
    seq: number;
    time: number;
    body: QuoteBody;
    decided: Outlined;
  }): Asked | null {
    const { ask, market } = decided.decision;
    if (ask === undefined || market === undefined) return null;
    const { makerAsset, takerAsset, user } = ask;
    const row = {
      seq,
      time,
      chainId: body.chainId,
      pair: market.pair.id,
      user,
      counterparty: body.counterparty,
      side: market.side,
      makerAsset,
      takerAsset,
      makerAmount: `${ask.makerAmount}`,
      takerAmount: `${ask.takerAmount}`,
      dollarRate: body.dollarRate ?? null,
    };
    return { seq, time, kind: 'asked', row, wasSigned: body.code === null, dollars: this.#dollars(row, market.side) };
  }
}
