import type { Database } from 'better-sqlite3';
import { type BookPair, buildChainBook, type ChainBook } from '../book/chain-book.ts';
import type { ChainState } from '../book/chain-state.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Ask } from '../guard/ask.ts';
import type { OffSides } from '../guard/off-reference.ts';
import { askRefusal } from '../guard/quote-limits.ts';
import { sideRefusal } from '../guard/side-refusal.ts';
import type { Covered } from '../guard/spendable.ts';
import { TradingStates } from '../guard/trading-states.ts';
import { UserRate } from '../guard/user-rate.ts';
import { parsedBody } from '../journal/archived-bodies.ts';
import type { QuoteBody } from '../journal/quotes/events.ts';
import { rowsBetween } from '../journal/time-marks.ts';
import type { StoredTradingState } from '../journal/trading/fold.ts';
import type { Hex } from '../protocol/address.ts';
import { parseFirmRequest } from '../protocol/firm-request.ts';
import { unpackNonceAndMeta } from '../protocol/nonce-and-meta.ts';
import type { Side } from '../protocol/side.ts';
import { hashToSign, type SigningForm } from '../protocol/signing-form.ts';
import { signedBy } from '../signer/signer.ts';
import { type Decision, refusalOf } from './firm-refusal.ts';
import { PAST_KINDS, PastDesk, type PastRow, type PastState } from './past-desk.ts';
import { refusedRow, signedRow } from './quote-row.ts';
import { buildOrder, SALT_BYTES } from './sign-order.ts';

/** What decides about the quotes of a user for this long, milliseconds. */
const MINUTE_MS = 60_000;
const ROWS_AT_ONCE = 1_000;
const UNREADABLE = 'its row cannot be read';

/** From when to when, Unix milliseconds, both included. */
export interface Span {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** What has to be the same: the row to its last byte, signature included, or why nothing was signed, and else the amounts. */
type Compared = 'whole row' | 'amounts';

/** A firm request of the journal and what deciding it again gave. `time` is that of its row, Unix milliseconds. */
export type PastDecision = { readonly seq: number; readonly time: number } & (
  | {
      readonly kind: 'same';
      readonly body: QuoteBody;
      /** The desk by which it gives the same; `beforeDurable` where that is not yet the one of the rows before it. */
      readonly state: PastState;
      readonly beforeDurable: boolean;
    }
  /** What decided it is in no row. `byRule`: the desk by which nothing but the protections of then spoke against it. */
  | { readonly kind: 'untold'; readonly body: QuoteBody | null; readonly why: string; readonly byRule?: PastState }
  | { readonly kind: 'differs'; readonly body: QuoteBody; readonly difference: Difference }
  /** It came in the minute before, and counts for its user. */
  | { readonly kind: 'before'; readonly body: QuoteBody | null }
  /** The desk was started: users are counted anew. */
  | { readonly kind: 'started' }
);

/**
 * Decides every firm request of a journal again that was recorded in a span, by the desk's own code, with the book and the stops as
 * they were before its row, and its recorded time, salt, balance, allowance and exposure. Reads only. Throws DeskError
 * `journal_broken` where what the desk was then cannot be read.
 */
export function* pastDecisions(
  db: Database,
  { since = 0, until = Number.MAX_SAFE_INTEGER }: Span,
  compared: Compared = 'whole row',
): Generator<PastDecision> {
  const past = new PastQuotes(db, compared);
  const { first, last } = rowsBetween(db)(Math.max(0, since - MINUTE_MS), until);
  const desk = PastDesk.after(db, first - 1);
  try {
    for (const row of rowsOf(db, first, last)) {
      const { seq, time } = row;
      if (row.kind !== 'quote') {
        desk.take(row);
        if (row.kind !== 'desk_started') continue;
        past.started(time);
        yield { seq, time, kind: 'started' };
        continue;
      }
      const body = bodyOf(row);
      if (time < since || time > until) {
        if (body !== null) past.again.count(body, time);
        yield { seq, time, kind: 'before', body };
        continue;
      }
      try {
        yield { seq, time, ...past.decide({ seq, time, body }, desk) };
      } catch {
        yield { seq, time, kind: 'untold', body: null, why: UNREADABLE }; // it is JSON, but no quote
      }
    }
  } finally {
    desk.close();
  }
}

type Outcome =
  | Omit<Extract<PastDecision, { kind: 'same' }>, 'seq' | 'time'>
  | Omit<Extract<PastDecision, { kind: 'untold' }>, 'seq' | 'time'>
  | Omit<Extract<PastDecision, { kind: 'differs' }>, 'seq' | 'time'>;

class PastQuotes {
  readonly again = new Again();
  /** The row of the first hedge; before it none took anything. */
  readonly #firstHedge: number;
  #startedAt = Number.NEGATIVE_INFINITY;
  readonly #compared: Compared;

  constructor(db: Database, compared: Compared) {
    this.#compared = compared;
    const first = db.prepare<[], number | null>(
      "SELECT min(seq) FROM main.journal WHERE kind <> 'quote' AND kind LIKE 'hedge%'",
    );
    this.#firstHedge = first.pluck().get() ?? Number.MAX_SAFE_INTEGER;
  }

  started(time: number): void {
    this.#startedAt = time;
    this.again.started();
  }

  decide({ seq, time, body }: { seq: number; time: number; body: QuoteBody | null }, desk: PastDesk): Outcome {
    if (body === null) return { kind: 'untold', body, why: UNREADABLE };
    if (body.requestBytes !== undefined) return { kind: 'untold', body, why: 'its request was too long to be kept' };
    const decided = this.#decided(body, time, desk.state);
    const why = body.code === null ? undefined : UNTOLD[body.code];
    const isUntold = why !== undefined && (body.exposure === null || body.code !== 'chain_unseen');
    let difference = body.code === 'busy' || body.code === 'internal' ? null : this.#difference(body, decided);
    let state = desk.state;
    if (difference !== null) {
      for (const onItsWay of desk.stillOnTheirWay(time)) {
        if (this.#difference(body, this.#decided(body, time, onItsWay)) !== null) continue;
        difference = null;
        state = onItsWay;
        break;
      }
    }
    this.again.count(body, time);
    if (difference !== null) {
      const whyNot = this.#whyNot(seq, time, body, decided);
      return whyNot === null ? { kind: 'differs', body, difference } : { kind: 'untold', body, why: whyNot };
    }
    const wasAskedLast = body.exposure !== null && BY_RULES.some((code) => code === body.code);
    if (isUntold) return { kind: 'untold', body, why, ...(wasAskedLast && { byRule: state }) };
    return { kind: 'same', body, state, beforeDurable: state !== desk.state };
  }

  #decided(body: QuoteBody, time: number, state: PastState): Decided | Outlined {
    return this.#compared === 'amounts' ? this.again.outcome(body, time, state) : this.again.decide(body, time, state);
  }

  #difference(body: QuoteBody, decided: Decided | Outlined): Difference | null {
    if ('fault' in decided) return decided.fault;
    return 'row' in decided ? differenceOf(body, decided) : differenceOfAmounts(body, decided);
  }

  /** What a difference may come from that no row tells; null where there is nothing of the kind. */
  #whyNot(seq: number, time: number, body: QuoteBody, again: Decided | Outlined): string | null {
    if ('fault' in again) return null;
    const { code, decision } = again;
    const codes = [body.code, code];
    const ladder = decision.market?.pair.ladder;
    if (body.signingMs !== undefined && (code !== body.code || ladder?.revision !== body.ladderRevision)) {
      return 'the desk moved on while its key, which is elsewhere, signed';
    }
    if (codes.includes('user_rate') && time - this.#startedAt < MINUTE_MS) {
      return 'how many quotes a user had is counted from zero after a start';
    }
    if (body.code === 'insufficient_balance' && code === null && body.hedged === undefined && seq > this.#firstHedge) {
      return 'what hedges could still take then is not in its row';
    }
    const hasFollowed = ladder?.followed !== undefined;
    if (body.code === null && code === 'insufficient_depth' && hasFollowed) {
      return 'the depth that was served a moment before is not in the journal';
    }
    return null;
  }
}

const OF_CHAIN = 'what the chain, its checks or the reference said then is not in the journal';
const OF_PAIR = 'what a token, the reference or the engine of the pair said then is not in the journal';
const BY_RULE = 'what the protections had counted then is not replayed';
/** Refusals by protections: they are asked where nothing else speaks against a request. */
const BY_RULES = ['protection_limit', 'protection_tripped', 'protection_unpriced'] as const;
/** Refusals for what no row tells, as far as one had no amounts. */
const UNTOLD: Partial<Record<RefusalCode, string>> = {
  chain_unseen: OF_CHAIN,
  chain_clock: OF_CHAIN,
  chain_unconfirmed: OF_CHAIN,
  signer_unseen: 'what a key that is elsewhere said then is not in the journal',
  starting: OF_CHAIN,
  checks_failed: OF_CHAIN,
  past_unproven: OF_CHAIN,
  reference_stale: OF_CHAIN,
  token_closed: OF_PAIR,
  not_approved: OF_PAIR,
  prices_stale: OF_PAIR,
  sources_apart: OF_PAIR,
  off_reference: OF_PAIR,
  protection_limit: BY_RULE,
  protection_tripped: BY_RULE,
  protection_unpriced: BY_RULE,
  busy: 'how many requests were on their way then is not in the journal',
  internal: 'an error of the desk itself is not in the journal',
};

const ROW = 'SELECT seq, time, actor, kind, body, previous, hash FROM journal';
const KINDS = PAST_KINDS.map((kind) => `'${kind}'`).join(', ');

function* rowsOf(db: Database, first: number, last: number): Generator<PastRow> {
  const rows = db.prepare<[number, number, number], PastRow>(
    `${ROW} WHERE seq BETWEEN ? AND ? AND kind IN ('quote', ${KINDS}) ORDER BY seq LIMIT ?`,
  );
  for (let from = first; ; ) {
    const chunk = rows.all(from, last, ROWS_AT_ONCE);
    yield* chunk;
    const end = chunk.at(-1);
    if (end === undefined || chunk.length < ROWS_AT_ONCE) return;
    from = end.seq + 1;
  }
}

/** The first field of a decision's row that is not what the desk decides now; both as text. */
export interface Difference {
  readonly field: string;
  readonly recorded: string;
  readonly replayed: string;
}

/** What a decision gave when it was made again: its row, or where that could not come to be. */
export type Decided =
  | { readonly row: QuoteBody; readonly code: RefusalCode | null; readonly decision: Decision }
  | Fault;
type Fault = { readonly fault: Difference };

/** A decision without its row. `now` is when it was made, Unix milliseconds. */
export interface Outlined {
  readonly code: RefusalCode | null;
  readonly decision: Decision;
  readonly now: number;
}

/** What is otherwise of a desk beside its book: it has no protections, or its prices stand otherwise against its reference. */
interface HowElse {
  readonly withoutRules?: boolean;
  readonly offReference?: ((chain: ChainBook, pair: BookPair) => OffSides | null) | undefined;
}

const books = new WeakMap<ChainState, ChainBook>();

/** What a chain lists and quotes; worked out once for each of its states. */
export function bookOf(state: ChainState): ChainBook {
  const known = books.get(state);
  if (known !== undefined) return known;
  const made = buildChainBook(state);
  books.set(state, made);
  return made;
}

/** Decides requests of the past, and counts users as it goes. */
export class Again {
  readonly #rates = new Map<number, UserRate>();
  #forgottenAt = 0;

  /** A desk that starts counts its users anew. */
  started(): void {
    this.#rates.clear();
  }

  /** A quote that was signed counts for its user; any other does not. */
  count(
    { chainId, userAddress, orderHash }: Pick<QuoteBody, 'chainId' | 'userAddress' | 'orderHash'>,
    time: number,
  ): void {
    if (orderHash != null) this.#rateOf(chainId).add({ user: userAddress }, time);
  }

  /** Decides the request of a row by a desk, with what else the row says, and makes its row anew. */
  decide(body: QuoteBody, time: number, state: PastState): Decided {
    const decided = this.outcome(body, time, state);
    if ('fault' in decided) return decided;
    const { code, decision, now } = decided;
    if (code !== null) return { row: refusedRow(decision, code, body.latencyMs), code, decision };
    return { ...signedAgain(decision, body, now), code, decision };
  }

  /** The same without its row, and as a desk would have that is otherwise than the one of the row. */
  outcome(
    body: QuoteBody,
    time: number,
    { book, trading }: PastState,
    { withoutRules = false, offReference }: HowElse = {},
  ): Outlined | Fault {
    this.#forget(time);
    const parsed = parseFirmRequest(Buffer.from(body.requestBody));
    if (!parsed.ok) return fault('requestBody', body.requestBody, parsed.sentence);
    const state = book.chains.get(body.chainId);
    if (state === undefined) return fault('chainId', body.chainId, 'no chain of the desk');
    const chain = bookOf(state);
    const input = {
      chainId: body.chainId,
      body: Buffer.from(body.requestBody),
      counterparty: body.counterparty,
      signature: body.requestSignature,
      receivedAt: body.receivedAt,
      receivedMonotonic: 0,
    };
    const decision: Decision = { input, request: parsed.request, chain };
    const { deadlineMs } = book;
    // How long it waited was looked at once more before its row was made.
    const waitedMs = body.code === 'deadline' ? body.latencyMs : Math.min(body.latencyMs, deadlineMs - 1);
    const now = momentOf(body, time, chain);
    const guard = this.#guardOf(body, trading, { now, withoutRules, offReference });
    const code = refusalOf(decision, { guard, now, waitedMs, deadlineMs, depths: { reach: () => null } });
    return { code, decision, now };
  }

  /** The guard as the row has it, and as the stops before it were. */
  #guardOf(
    body: QuoteBody,
    trading: PastState['trading'],
    { now, withoutRules, offReference }: HowElse & { now: number },
  ) {
    const states = new TradingStates(0);
    const { code } = body;
    const hasTripped = code === 'protection_tripped' && body.exposure !== null;
    // A quote that trips a rule for the desk has it halted before its row is written.
    states.replace(hasTripped ? trading.map(beforeItsHalt) : trading);
    const covered: Covered = {
      balance: amountOf(body.balance),
      allowance: amountOf(body.allowance),
      exposure: amountOf(body.exposure) ?? 0n,
      hedged: amountOf(body.hedged) ?? 0n,
    };
    const isClosed = code === 'protection_tripped' || (code !== null && UNTOLD[code] === OF_CHAIN);
    const ofChain = isClosed && body.exposure === null ? code : null;
    const ofRules = withoutRules ? (['starting'] as const) : ([...BY_RULES, 'starting'] as const);
    const byRule = ofRules.find((one) => one === code) ?? null;
    const isUnpriced = code === 'protection_unpriced' && body.exposure === null;
    const closed = { kind: 'far', tenthBps: 0, closed: true } as const;
    const standing = {
      trading: { states },
      pairClosure: () =>
        isUnpriced || code === 'token_closed' || code === 'not_approved' || code === 'sources_apart' ? { code } : null,
      pushedFreshUntil: () => (code === 'prices_stale' ? -1 : null),
      referenceFreshUntil: () => null,
      offReference: offReference ?? (() => (code === 'off_reference' ? { bids: closed, asks: closed } : null)),
    };
    return {
      chainRefusal: ({ chainId }: ChainBook) => (states.effective({ chainId }) === 'HALTED' ? 'halted' : ofChain),
      sideRefusal: (chain: ChainBook, pair: BookPair, side: Side) => sideRefusal(standing, { chain, pair, side }, now),
      covered: () => covered,
      protections: { refusal: () => byRule, dollarRate: () => body.dollarRate ?? null },
      refusal: (chain: ChainBook, ask: Ask) =>
        askRefusal(chain, ask, { covered: () => covered, rate: this.#rateOf(chain.chainId) }, now),
    };
  }

  /** Once a minute: a flood of users is looked through by none of its requests. */
  #forget(time: number): void {
    if (Math.abs(time - this.#forgottenAt) < MINUTE_MS) return;
    this.#forgottenAt = time;
    for (const rate of this.#rates.values()) rate.forget(time);
  }

  #rateOf(chainId: number): UserRate {
    const known = this.#rates.get(chainId);
    if (known !== undefined) return known;
    const made = new UserRate();
    this.#rates.set(chainId, made);
    return made;
  }
}

function beforeItsHalt(state: StoredTradingState): StoredTradingState {
  return state.actor === 'desk' && state.scope.pair === undefined ? { ...state, state: 'LIVE' } : state;
}

/** The order with the salt of the row, and with its signature where that is the signer's. */
function signedAgain(decision: Decision, body: QuoteBody, now: number): { row: QuoteBody } | Fault {
  const { chain, ask } = decision;
  const { nonceAndMeta, signature } = body;
  if (nonceAndMeta === null || signature === null || ask === undefined) return fault('code', body.code, 'signed');
  const salt = unpackNonceAndMeta(BigInt(nonceAndMeta)).random;
  const bytes = Buffer.from(salt.toString(16).padStart(2 * SALT_BYTES, '0'), 'hex');
  const { order, orderHash } = buildOrder(chain, ask, now, () => bytes);
  const row = signedRow(
    decision,
    { order, orderHash, signature: signature as Hex, signingMs: body.signingMs },
    body.latencyMs,
  );
  const isOwn = (['raw', 'safe'] satisfies SigningForm[]).some(
    (form) => signedBy(hashToSign(form, chain.config, orderHash), signature as Hex) === chain.config.signer,
  );
  // An order that is another one has no signature either; what makes it another is said first.
  return isOwn || row.orderHash !== body.orderHash
    ? { row }
    : fault('signature', signature, `not of ${chain.config.signer}`);
}

/** The latest millisecond from the request to its row in which an order would end as this one does; earlier programs read the clock twice. */
function momentOf({ expiry, receivedAt }: QuoteBody, time: number, { config }: ChainBook): number {
  if (expiry === null) return time;
  const latest = (expiry - config.quoteLifetimeSeconds) * 1_000 + 999;
  return latest >= receivedAt && latest < time ? latest : time;
}

function differenceOf(recorded: QuoteBody, again: Decided): Fault['fault'] | null {
  if ('fault' in again) return again.fault;
  const [was, is] = [recorded, again.row] as Record<string, unknown>[];
  if (recorded.code !== again.code) return fault('code', recorded.code ?? 'signed', again.code ?? 'signed').fault;
  for (const field of Object.keys({ ...was, ...is })) {
    if (was?.[field] !== is?.[field]) return fault(field, was?.[field], is?.[field]).fault;
  }
  return null;
}

function differenceOfAmounts(recorded: QuoteBody, { code, decision: { ask } }: Outlined): Difference | null {
  if (recorded.code !== code) return fault('code', recorded.code ?? 'signed', code ?? 'signed').fault;
  if (code !== null) return null;
  for (const field of ['makerAmount', 'takerAmount'] as const) {
    if (recorded[field] !== `${ask?.[field]}`) return fault(field, recorded[field], ask?.[field]).fault;
  }
  return null;
}

function fault(field: string, recorded: unknown, replayed: unknown): Fault {
  return { fault: { field, recorded: `${recorded}`, replayed: `${replayed}` } };
}

function bodyOf({ body }: PastRow): QuoteBody | null {
  try {
    return parsedBody<QuoteBody>(body);
  } catch {
    return null;
  }
}

function amountOf(text: string | null | undefined): bigint | null {
  return text == null ? null : BigInt(text);
}
