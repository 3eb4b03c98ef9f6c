import type { Database } from 'better-sqlite3';
import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { Tried } from '../contract/protections.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { WhatIfProgress, WhatIfSettings } from '../contract/what-if.ts';
import type { QuoteBody } from '../journal/quotes/events.ts';
import { rowsBetween } from '../journal/time-marks.ts';
import { Again, type PastDecision, pastDecisions, type Span } from './decide-again.ts';
import { RulesThen } from './rules-then.ts';
import { type ChangedDesk, changedDesk, checkSettings } from './settings-then.ts';
import {
  Adding,
  addSums,
  type CountedAs,
  type Curve,
  emptyCurve,
  emptySums,
  type Sums,
  signedOf,
} from './what-if-sums.ts';
import { type Amounts, amountsOf, type Worths, worthsOfQuotes } from './what-if-worths.ts';

/** What became of the requests of a pair. */
export interface PairWhatIf extends Sums {
  readonly chainId: number;
  readonly pair: string;
}

/** What a stretch of the journal would have been by other settings. */
export interface WhatIf {
  decisions: number;
  /** How many are as they were for want of what no row tells, by why. */
  asTheyWere: Record<string, number>;
  /** By chain and pair, those with most quotes first. */
  pairs: PairWhatIf[];
  total: Sums;
  curve: Curve;
  /** What the other protections would have done; null where they are those that held. */
  tried: Tried | null;
}

/** A request and what would have been decided: why nothing would have been signed, or null and the amounts. */
export interface DecidedThen extends CountedAs {
  readonly seq: number;
  readonly time: number;
  readonly was: QuoteBody;
  readonly pair: string;
  readonly code: RefusalCode | null;
  readonly ask: Amounts | undefined;
  /** Why it is as it was, for want of what no row tells; null where it was decided anew. */
  readonly kept: string | null;
  readonly worths: Worths;
}

/** How long before the first request a curve begins, where the stretch was begun without any, milliseconds. */
const ROOM_MS = 10_000;
const NOT_COVERED = 'what the maker had then is not in the row of a request that was refused before it was asked for';

/**
 * Prices every firm request of a span again, as the desk would have with other settings: with the book, the stops, the balance and
 * what was out as they were then. Exact are the new prices and refusals. Whether somebody would have taken another price nobody
 * knows, so that what they come to is a band. Its low end is where everybody does what costs the desk most, its high end where
 * they do what it gains most by: a fill at a price that would have been worse for the taker may not have been; a quote that nobody
 * filled may have been, whole, where its price would have been better or where it was refused. Every other fill is as it was.
 * Reads only. Says after every step how far it has come; `each` is told of every request of a pair. Throws DeskError
 * `journal_broken`, `settings_refused`.
 */
export function* whatIf(
  db: Database,
  span: Span,
  settings: WhatIfSettings,
  each: (decided: DecidedThen) => void = () => {},
): Generator<WhatIfProgress, WhatIf> {
  const { since = 0, until = Number.MAX_SAFE_INTEGER } = span;
  yield { part: 'progress', reading: 'settings', done: 0, of: null };
  const { count, first, last, asked } = requestsIn(db, since, until);
  checkSettings(db, settings, asked);
  const curve = emptyCurve(Math.max(since, (first ?? since) - ROOM_MS), span.until ?? last ?? since);
  const pairs = new Map<string, PairWhatIf>();
  const addingTo = (chainId: number, pair: string): Adding => {
    const key = `${chainId} ${pair}`;
    const sums = pairs.get(key) ?? { chainId, pair, ...emptySums() };
    pairs.set(key, sums);
    return new Adding(sums, curve);
  };
  const asTheyWere: WhatIf['asTheyWere'] = {};
  const keep = (why: string) => {
    asTheyWere[why] = (asTheyWere[why] ?? 0) + 1;
  };
  const keepQuote = (
    why: string,
    { seq, time, body, pair }: { seq: number; time: number; body: QuoteBody; pair: string },
  ) => {
    const worth = worths(seq, body);
    const counted = addingTo(body.chainId, pair).asItWas(body, worth);
    each({ seq, time, was: body, pair, code: body.code, ask: amountsOf(body), kept: why, worths: worth, ...counted });
  };
  const desk = changedDesk(db, settings);
  const then = new Again();
  const worths = worthsOfQuotes(db);
  const { protections } = settings;
  const rules = protections === undefined ? null : new RulesThen(db, { protections, since, until });
  if (rules !== null) yield* rules.dayBefore();
  let decisions = 0;
  for (const past of pastDecisions(db, span, 'amounts')) {
    if (past.kind === 'started') {
      then.started();
      continue;
    }
    const { body, seq, time } = past;
    if (past.kind === 'before') {
      if (body !== null) then.count(body, time);
      continue;
    }
    decisions += 1;
    yield { part: 'progress', reading: 'requests', done: decisions, of: count };
    const state = stateOf(past, rules !== null);
    if (state === null || past.body === null) {
      const why = past.kind === 'untold' ? past.why : 'its row is not what the desk gives';
      keep(why);
      rules?.takeUpTo(seq);
      if (body?.pair == null) continue;
      then.count(body, time);
      keepQuote(why, { seq, time, body, pair: body.pair });
      continue;
    }
    const { chainId, pair: askedPair } = past.body;
    const other = desk(state, { seq, time, chainId, pair: askedPair });
    const decided = 'why' in other ? other : decidedBy(other, then, past.body, time, rules !== null);
    if ('why' in decided) {
      keep(decided.why);
      rules?.takeUpTo(seq);
      then.count(past.body, time);
      if (askedPair !== null) keepQuote(decided.why, { seq, time, body: past.body, pair: askedPair });
      continue;
    }
    if ('fault' in decided) throw new Error('A request that was decided cannot be decided again.');
    const { decision } = decided;
    const pair = decision.market?.pair.id ?? past.body.pair;
    if (pair === null) continue;
    // Refused before the maker's balance was looked at: what it was by then nobody knows.
    if (past.body.exposure === null && decision.covered !== undefined) {
      keep(NOT_COVERED);
      keepQuote(NOT_COVERED, { seq, time, body: past.body, pair });
      continue;
    }
    const { ask } = decision;
    const code = rules === null ? decided.code : rules.refusal({ seq, time, body: past.body, decided });
    if (code === null) then.count({ ...past.body, orderHash: past.body.orderHash ?? 'signed' }, time);
    const worth = worths(seq, past.body);
    const judged = { was: past.body, code, ask, time };
    const counted = addingTo(past.body.chainId, pair).judge(judged, worth);
    each({ seq, pair, kept: null, worths: worth, ...judged, ...counted });
  }
  const sorted = [...pairs.values()].sort((a, b) => signedOf(b) - signedOf(a));
  const total = emptySums();
  for (const sums of sorted) addSums(total, sums);
  return { decisions, asTheyWere, pairs: sorted, total, curve, tried: rules?.result() ?? null };
}

/** Decides a request again by a changed desk; `why`: what is not known of then that it asks for. */
function decidedBy(
  { state, offReference }: ChangedDesk,
  then: Again,
  body: QuoteBody,
  time: number,
  withoutRules: boolean,
): ReturnType<Again['outcome']> | { why: string } {
  if (offReference === null) return then.outcome(body, time, state, { withoutRules });
  const unknown: { why?: string } = {};
  const known = (chain: ChainBook, pair: BookPair) => {
    const sides = offReference(chain, pair);
    if (sides === null || !('why' in sides)) return sides;
    unknown.why = sides.why;
    return null;
  };
  const decided = then.outcome(body, time, state, { withoutRules, offReference: known });
  const { why } = unknown;
  return why === undefined ? decided : { why };
}

/** How many firm requests a stretch has, when the first and the last of them came, and which pairs they asked for. */
function requestsIn(db: Database, since: number, until: number) {
  const { first, last } = rowsBetween(db)(since, until);
  const found = db
    .prepare<[number, number, number, number], AskedPair>(
      `SELECT chain_id AS chainId, pair, count(*) AS count, min(time) AS first, max(time) AS last FROM quotes
       WHERE seq BETWEEN ? AND ? AND time BETWEEN ? AND ? GROUP BY chain_id, pair`,
    )
    .all(first, last, since, until);
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    first: found.length === 0 ? null : Math.min(...found.map((one) => one.first)),
    last: found.length === 0 ? null : Math.max(...found.map((one) => one.last)),
    asked: found.flatMap(({ chainId, pair }) => (pair === null ? [] : [{ chainId, pair }])),
  };
}

type AskedPair = { chainId: number; pair: string | null; count: number; first: number; last: number };

/**
 * The desk by which a request can be decided again; null where that is not known. What the rules of then refused can be, under other
 * rules, where nothing else had spoken against it.
 */
function stateOf(past: Exclude<PastDecision, { kind: 'started' | 'before' }>, underOtherRules: boolean) {
  if (past.kind === 'same') return past.state;
  return past.kind === 'untold' && underOtherRules ? (past.byRule ?? null) : null;
}
