import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { tradingStateSchema } from '../contract/trading.ts';
import { fromRaw } from '../protocol/decimal.ts';
import { outcomeOf } from '../quoting/firm-answer.ts';
import type { FirmAnswer } from '../quoting/firm-input.ts';
import type { WholeView } from './live-view.ts';
import type { Rooms } from './rooms.ts';
import type { SpanOutcome } from './traces/span-queue.ts';

/** Seconds up to which firm answers are counted. */
const FIRM_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** What Node tells of itself under names that Prometheus keeps for counters, which they are not. */
export const NO_COUNTERS = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

export interface Readiness {
  /** Whether a firm quote for anything could be signed now. */
  ready: boolean;
  /** What is closed and why, a sentence each. */
  reasons: string[];
}

/**
 * The desk in numbers, for Prometheus. No label names a user, a taker or a counterparty, so there are never more series than
 * chains, pairs and tokens make. Amounts are token units as floating point: figures to look at, none to reckon with.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #parts: { read: () => WholeView; rooms: Pick<Rooms, 'journal' | 'guard' | 'now'> };
  readonly #firmRequests = this.#counter('makerdesk_firm_requests_total', 'Firm requests, by what became of them.', [
    'chain',
    'outcome',
  ]);
  readonly #firmSeconds = new Histogram({
    name: 'makerdesk_firm_seconds',
    help: 'From the arrival of a firm request to its answer, in seconds.',
    labelNames: ['chain'],
    buckets: FIRM_SECONDS,
    registers: [this.#registry],
  });
  readonly #spans = this.#counter(
    'makerdesk_trace_spans_total',
    'Spans of traces, by whether the collector has them.',
    ['outcome'],
  );
  readonly #ready = this.#gauge('makerdesk_ready', '1 while a firm quote for anything could be signed, else 0.', []);
  readonly #state = this.#gauge('makerdesk_state', '1 for the state that the desk is in.', ['state']);
  readonly #chainOpen = this.#gauge('makerdesk_chain_open', '1 while a chain is LIVE and not closed.', ['chain']);
  readonly #sides = this.#gauge('makerdesk_pair_sides_quoted', 'Sides of a pair that are quoted: 0, 1 or 2.', [
    'chain',
    'pair',
  ]);
  readonly #today = this.#gauge('makerdesk_today', 'Firm quotes of a pair since 00:00 UTC, by what became of them.', [
    'chain',
    'pair',
    'outcome',
  ]);
  readonly #blockAge = this.#gauge('makerdesk_block_age_seconds', 'Since a new block was seen.', ['chain']);
  readonly #referenceAge = this.#gauge('makerdesk_reference_age_seconds', 'Age of what the reference of a pair says.', [
    'chain',
    'pair',
  ]);
  readonly #publishedAge = this.#gauge('makerdesk_published_age_seconds', 'Since the ladder of a pair was published.', [
    'chain',
    'pair',
  ]);
  readonly #pollAge = this.#gauge('makerdesk_poll_age_seconds', 'Since the service last asked for an endpoint.', [
    'chain',
    'endpoint',
  ]);
  readonly #webSockets = this.#gauge('makerdesk_web_sockets', 'Open feeds of counterparties.', ['chain']);
  readonly #live = this.#gauge('makerdesk_exposure', 'Signed and still fillable, token units.', ['chain', 'token']);
  readonly #balance = this.#gauge('makerdesk_balance', 'What the maker has, token units.', ['chain', 'token']);
  readonly #allowance = this.#gauge('makerdesk_allowance', 'What the contract may take of it, token units.', [
    'chain',
    'token',
  ]);
  readonly #attention = this.#gauge('makerdesk_attention', 'What is wrong now, by how urgent it is.', ['level']);
  readonly #tripped = this.#gauge('makerdesk_protections_tripped', 'Protections that have tripped and freeze.', []);
  readonly #rows = this.#gauge('makerdesk_journal_rows', 'Rows of the journal.', []);

  constructor(parts: { read: () => WholeView; rooms: Pick<Rooms, 'journal' | 'guard' | 'now'> }) {
    this.#parts = parts;
    collectDefaultMetrics({ register: this.#registry });
    for (const name of NO_COUNTERS) this.#registry.removeSingleMetric(name);
  }

  /** Counts the answer to a firm request that took so many milliseconds. */
  firmAnswered(chainId: number, answer: FirmAnswer, tookMs: number): void {
    this.#firmRequests.inc({ chain: chainId, outcome: outcomeOf(answer) });
    this.#firmSeconds.observe({ chain: chainId }, tookMs / 1_000);
  }

  /** Counts spans that the collector took, or that are lost. */
  spansEnded(outcome: SpanOutcome, count: number): void {
    this.#spans.inc({ outcome }, count);
  }

  /** Everything in the text form of Prometheus. Throws where the view of the desk cannot be read. */
  async text(): Promise<string> {
    this.#take(this.#parts.read());
    return this.#registry.metrics();
  }

  /** Whether anything could be signed, and what could not. Throws where the view of the desk cannot be read. */
  readiness(): Readiness {
    return readinessOf(this.#parts.read());
  }

  #take(view: WholeView): void {
    const { rooms } = this.#parts;
    const now = rooms.now();
    const age = (time: number) => Math.max(0, now - time) / 1_000;
    // What is gone from the desk is gone from here.
    for (const gauge of [this.#chainOpen, this.#sides, this.#today, this.#blockAge, this.#referenceAge]) gauge.reset();
    for (const gauge of [this.#publishedAge, this.#pollAge, this.#webSockets, this.#live, this.#balance]) gauge.reset();
    this.#allowance.reset();
    this.#ready.set(readinessOf(view).ready ? 1 : 0);
    for (const state of tradingStateSchema.options) this.#state.set({ state }, view.status.state === state ? 1 : 0);
    for (const { chainId: chain, state } of view.status.chains)
      this.#chainOpen.set({ chain }, state === 'LIVE' ? 1 : 0);
    for (const { chainId: chain, blockSeenAt, heartbeats, webSockets } of view.chains) {
      if (blockSeenAt !== null) this.#blockAge.set({ chain }, age(blockSeenAt));
      this.#webSockets.set({ chain }, webSockets);
      for (const { endpoint, at } of heartbeats) this.#pollAge.set({ chain, endpoint }, age(at));
    }
    for (const { chainId: chain, pair, unquoted, reference, publishedAt, today } of view.pairs) {
      const quoted = [unquoted?.bids, unquoted?.asks].filter((why) => why === null);
      this.#sides.set({ chain, pair }, quoted.length);
      this.#publishedAge.set({ chain, pair }, age(publishedAt));
      if (reference) this.#referenceAge.set({ chain, pair }, age(reference.time));
      for (const outcome of ['signed', 'refused', 'filled'] as const)
        this.#today.set({ chain, pair, outcome }, today[outcome]);
    }
    for (const { chainId: chain, tokenId: token, decimals, live, balance, allowance } of view.exposure) {
      const amounts = [
        [this.#live, live],
        [this.#balance, balance],
        [this.#allowance, allowance],
      ] as const;
      for (const [gauge, raw] of amounts)
        if (raw !== null) gauge.set({ chain, token }, Number(fromRaw(BigInt(raw), decimals)));
    }
    for (const level of ['stop', 'look', 'note'] as const)
      this.#attention.set({ level }, view.attention.filter((one) => one.level === level).length);
    this.#tripped.set(rooms.guard.protections.standing().length);
    this.#rows.set(rooms.journal.head().seq);
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }
}

function readinessOf({ status, chains }: WholeView): Readiness {
  const reasons: string[] = [];
  if (status.state !== 'LIVE') reasons.push(`The desk is ${status.state}: ${status.reason ?? 'no reason was given'}.`);
  for (const { chainId, state, why, closed } of status.chains) {
    const row = chains.find((one) => one.chainId === chainId);
    const name = row?.name ?? `chain ${chainId}`;
    if (state !== 'LIVE') reasons.push(`${name} is ${state}${(why ?? closed) ? `: ${why ?? closed}` : ''}.`);
    else if (row?.quotes !== true) reasons.push(`${name} quotes no pair.`);
  }
  if (status.chains.length === 0) reasons.push('No chain is set up.');
  const isOpen = (chainId: number) => status.chains.some((one) => one.chainId === chainId && one.state === 'LIVE');
  const ready = status.state === 'LIVE' && chains.some(({ chainId, quotes }) => quotes === true && isOpen(chainId));
  return { ready, reasons };
}
