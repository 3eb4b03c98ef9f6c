import type { Database } from 'better-sqlite3';
import { type BookPair, buildChainBook, type ChainBook } from '../book/chain-book.ts';
import type { ChainState } from '../book/chain-state.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import { type Ask, askRefusal } from '../guard/chain-guard.ts';
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
import { type Decision, refusalOf } from './decision.ts';
import { PAST_KINDS, PastDesk, type PastRow, type PastState } from './past-desk.ts';
import { refusedRow, signedRow } from './quote-row.ts';
import { buildOrder, SALT_BYTES } from './sign-order.ts';

/** The first field of a decision's row that is not what the desk decides now; both as text. */
interface Difference {
  readonly seq: number;
  /** Unix milliseconds. */
  readonly time: number;
  readonly field: string;
  readonly recorded: string;
  readonly replayed: string;
}

/** What a stretch of the journal gave when it was decided again. */
export interface Replay {
  decisions: number;
  /** Signed and refused, those that gave the same to the last byte. */
  signed: number;
  refused: number;
  /** Those of the same that were decided while a change before them was on its way to the disk. */
  beforeDurable: number;
  /** How many cannot be decided again, by why. What came before that in the decision was the same. */
  notReplayed: Record<string, number>;
  differ: number;
  first: Difference | null;
}

/** What decides about the quotes of a user for this long, milliseconds. */
const MINUTE_MS = 60_000;
const ROWS_AT_ONCE = 1_000;

const OF_CHAIN = 'what the chain, its checks or the reference said then is not in the journal';
const OF_PAIR = 'what a token, the reference or the engine of the pair said then is not in the journal';
const BY_RULE = 'what the protections had counted then is not replayed';
/** Refusals for what no row tells, as far as one had no amounts. */
const UNTOLD: Partial<Record<RefusalCode, string>> = {
  chain_unseen: OF_CHAIN,
  chain_clock: OF_CHAIN,
  chain_unconfirmed: OF_CHAIN,
  starting: OF_CHAIN,
  checks_failed: OF_CHAIN,
  past_unproven: OF_CHAIN,
  reference_stale: OF_CHAIN,
  token_closed: OF_PAIR,
  not_approved: OF_PAIR,
  prices_stale: OF_PAIR,
  off_reference: OF_PAIR,
  protection_limit: BY_RULE,
  protection_tripped: BY_RULE,
  busy: 'how many requests were on their way then is not in the journal',
  internal: 'an error of the desk itself is not in the journal',
};

/**
 * Decides every firm request of a journal again that was recorded from `since` to `until` (Unix milliseconds, both included), by the
 * desk's own code, with the book and the stops as they were before its row, and its recorded time, salt, balance, allowance and
 * exposure. Reads only. Throws DeskError `journal_broken` where what the desk was then cannot be read.
 */
export function replayJournal(
  db: Database,
  { since = 0, until = Number.MAX_SAFE_INTEGER }: { since?: number | undefined; until?: number | undefined } = {},
): Replay {
  const replay: Replay = {
    decisions: 0,
    signed: 0,
    refused: 0,
    beforeDurable: 0,
    notReplayed: {},
    differ: 0,
    first: null,
  };
  const past = new PastQuotes(db);
  // Users were counted for a minute before.
  const { first, last } = rowsBetween(db)(Math.max(0, since - MINUTE_MS), until);
  const desk = PastDesk.after(db, first - 1);
  try {
    for (const row of rowsOf(db, first, last)) {
      if (row.kind !== 'quote') {
        desk.take(row);
        past.take(row);
      } else if (row.time < since || row.time > until) past.count(row);
      else {
        replay.decisions += 1;
        try {
          past.decide(row, desk, replay);
        } catch {
          untold(replay, UNREADABLE); // it is JSON, but no quote
        }
      }
    }
    return replay;
  } finally {
    desk.close();
  }
}

const UNREADABLE = 'its row cannot be read';

function untold({ notReplayed }: Replay, why: string): void {
  notReplayed[why] = (notReplayed[why] ?? 0) + 1;
}

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

/** What a decision gave when it was made again: its row, or where that could not come to be. */
type Again = { readonly row: QuoteBody; readonly code: RefusalCode | null; readonly decision: Decision } | Fault;
type Fault = { readonly fault: Omit<Difference, 'seq' | 'time'> };

class PastQuotes {
  readonly #rates = new Map<number, UserRate>();
  readonly #books = new WeakMap<ChainState, ChainBook>();
  /** The row of the first hedge; before it none took anything. */
  readonly #firstHedge: number;
  #startedAt = Number.NEGATIVE_INFINITY;
  #forgottenAt = 0;

  constructor(db: Database) {
    const first = db.prepare<[], number | null>(
      "SELECT min(seq) FROM main.journal WHERE kind <> 'quote' AND kind LIKE 'hedge%'",
    );
    this.#firstHedge = first.pluck().get() ?? Number.MAX_SAFE_INTEGER;
  }

  take({ kind, time }: PastRow): void {
    if (kind !== 'desk_started') return;
    this.#startedAt = time;
    this.#rates.clear();
  }

  /** The quote counts for its user. One that cannot be read does not. */
  count(row: PastRow): void {
    const body = bodyOf(row);
    if (body?.orderHash != null) this.#rateOf(body.chainId).add(body.userAddress, row.time);
  }

  decide(row: PastRow, desk: PastDesk, replay: Replay): void {
    const { seq, time } = row;
    const body = bodyOf(row);
    if (body === null || body.requestBytes !== undefined) {
      untold(replay, body === null ? UNREADABLE : 'its request was too long to be kept');
      return;
    }
    this.#forget(time);
    const again = this.#again(body, time, desk.state);
    const why = body.code === null ? undefined : UNTOLD[body.code];
    const isUntold = why !== undefined && (body.exposure === null || body.code !== 'chain_unseen');
    let difference = body.code === 'busy' || body.code === 'internal' ? null : differenceOf(body, again);
    if (difference !== null) {
      for (const state of desk.stillOnTheirWay(time)) {
        if (differenceOf(body, this.#again(body, time, state)) !== null) continue;
        difference = null;
        if (!isUntold) replay.beforeDurable += 1;
        break;
      }
    }
    this.count(row);
    if (difference !== null) {
      const whyNot = this.#whyNot(seq, time, body, again);
      if (whyNot !== null) untold(replay, whyNot);
      else {
        replay.differ += 1;
        replay.first ??= { seq, time, ...difference };
      }
    } else if (isUntold) untold(replay, why);
    else if (body.code === null) replay.signed += 1;
    else replay.refused += 1;
  }

  /** What a difference may come from that no row tells; null where there is nothing of the kind. */
  #whyNot(seq: number, time: number, body: QuoteBody, again: Again): string | null {
    if ('fault' in again) return null;
    const { code, decision } = again;
    const codes = [body.code, code];
    if (codes.includes('user_rate') && time - this.#startedAt < MINUTE_MS) {
      return 'how many quotes a user had is counted anew after a start';
    }
    if (body.code === 'insufficient_balance' && code === null && body.hedged === undefined && seq > this.#firstHedge) {
      return 'what hedges could still take then is not in its row';
    }
    const hasFollowed = decision.market?.pair.ladder.followed !== undefined;
    if (body.code === null && code === 'insufficient_depth' && hasFollowed) {
      return 'the depth that was served a moment before is not in the journal';
    }
    return null;
  }

  #again(body: QuoteBody, time: number, { book, trading }: PastState): Again {
    const parsed = parseFirmRequest(Buffer.from(body.requestBody));
    if (!parsed.ok) return fault('requestBody', body.requestBody, parsed.sentence);
    const state = book.chains.get(body.chainId);
    if (state === undefined) return fault('chainId', body.chainId, 'no chain of the desk');
    const chain = this.#bookOf(state);
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
    const guard = this.#guardOf(body, trading, now);
    const code = refusalOf(decision, { guard, now, waitedMs, deadlineMs, depths: { reach: () => null } });
    if (code !== null) return { row: refusedRow(decision, code, body.latencyMs), code, decision };
    return { ...signedAgain(decision, body, now), code, decision };
  }

  /** The guard as the row has it, and as the stops before it were. */
  #guardOf(body: QuoteBody, trading: PastState['trading'], now: number) {
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
    const isByRule = code === 'protection_limit' || code === 'protection_tripped' || code === 'starting';
    const byRule = isByRule ? code : null;
    const closed = { kind: 'far', tenthBps: 0, closed: true } as const;
    const standing = {
      trading: { states },
      pairClosure: () => (code === 'token_closed' || code === 'not_approved' ? { code } : null),
      pushedFreshUntil: () => (code === 'prices_stale' ? -1 : null),
      referenceFreshUntil: () => null,
      offReference: () => (code === 'off_reference' ? { bids: closed, asks: closed } : null),
    };
    return {
      chainRefusal: ({ chainId }: ChainBook) => (states.effective({ chainId }) === 'HALTED' ? 'halted' : ofChain),
      sideRefusal: (chain: ChainBook, pair: BookPair, side: Side) => sideRefusal(standing, { chain, pair, side }, now),
      covered: () => covered,
      protections: { refusal: () => byRule },
      refusal: (chain: ChainBook, ask: Ask) =>
        askRefusal(chain, ask, covered, () => this.#rateOf(chain.chainId).count(ask.user, now)),
    };
  }

  #bookOf(state: ChainState): ChainBook {
    const known = this.#books.get(state);
    if (known !== undefined) return known;
    const made = buildChainBook(state);
    this.#books.set(state, made);
    return made;
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
  const row = signedRow(decision, { order, orderHash, signature: signature as Hex }, body.latencyMs);
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

function differenceOf(recorded: QuoteBody, again: Again): Fault['fault'] | null {
  if ('fault' in again) return again.fault;
  const [was, is] = [recorded, again.row] as Record<string, unknown>[];
  if (recorded.code !== again.code) return fault('code', recorded.code ?? 'signed', again.code ?? 'signed').fault;
  for (const field of Object.keys({ ...was, ...is })) {
    if (was?.[field] !== is?.[field]) return fault(field, was?.[field], is?.[field]).fault;
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
