import type { Database } from 'better-sqlite3';
import type { ChainState } from '../book/chain-state.ts';
import { ladderSchema } from '../contract/desk-file.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import { repriced } from '../contract/repriced-ladder.ts';
import type { WhatIfSettings } from '../contract/what-if.ts';
import type { Ask } from '../guard/chain-guard.ts';
import type { StoredPair } from '../journal/book/fold.ts';
import { listedTokens } from '../journal/book/listed-tokens.ts';
import { dollarRates, midColumn, tradeOf } from '../journal/fills/marks.ts';
import type { QuoteBody } from '../journal/quotes/events.ts';
import { plus, worthAt } from '../journal/quotes/trade-value.ts';
import { mul, type Rational } from '../protocol/decimal.ts';
import { Again, pastDecisions, type Span } from './past-decisions.ts';
import type { PastState } from './past-desk.ts';

/** What a sum was, and between which two it would have been, dollars. */
export interface Band {
  was: Rational;
  low: Rational;
  high: Rational;
}

/** What became of the requests of a pair. */
export interface PairWhatIf {
  readonly chainId: number;
  readonly pair: string;
  /** Signed both times: the price would have been better for the taker, the same, or worse. */
  better: number;
  same: number;
  worse: number;
  /** Signed then, and would have been refused, by why. */
  refusedThen: Record<string, number>;
  /** Refused then, and would have been signed. */
  signedThen: number;
  /** Refused both times. */
  refused: number;
  /** Of the fills there were: how many would have been surely, and how many perhaps. */
  fills: { was: number; sure: number; perhaps: number };
  /** Quotes that nobody filled, and somebody might have. */
  perhapsFilled: number;
  /** Against the reference when the quote was decided. */
  edge: Band;
  /** What the fills there were came to against the reference five minutes after them, instead of the edge. */
  markout: Band;
  /** Of what might have been filled: without a reference or a dollar price, so that it is in no band. */
  unpriced: number;
}

/** What a stretch of the journal would have been by other settings. */
export interface WhatIf {
  decisions: number;
  /** How many are as they were for want of what no row tells, by why. */
  asTheyWere: Record<string, number>;
  /** By chain and pair, those with most quotes first. */
  pairs: PairWhatIf[];
  total: Omit<PairWhatIf, 'chainId' | 'pair'>;
}

/** A request and what would have been decided: why nothing would have been signed, or null and the amounts. */
export interface DecidedThen {
  readonly seq: number;
  readonly was: QuoteBody;
  readonly code: RefusalCode | null;
  readonly ask: Ask | undefined;
}

const ZERO: Rational = { n: 0n, d: 1n };
const NOT_COVERED = 'what the maker had then is not in the row of a request that was refused before it was asked for';

/**
 * Prices every firm request of a span again, as the desk would have with other settings: with the book, the stops, the balance and
 * what was out as they were then. Exact are the new prices and refusals. Whether somebody would have taken another price nobody
 * knows, so that what they come to is a band. Its low end is where everybody does what costs the desk most, its high end where
 * they do what it gains most by: a fill at a price that would have been worse for the taker may not have been; a quote that nobody
 * filled may have been, whole, where its price would have been better or where it was refused. Every other fill is as it was.
 * Reads only. `each` is told of every request that could be decided anew. Throws DeskError `journal_broken`.
 */
export function whatIf(
  db: Database,
  span: Span,
  settings: WhatIfSettings,
  each: (decided: DecidedThen) => void = () => {},
): WhatIf {
  const result: WhatIf = { decisions: 0, asTheyWere: {}, pairs: [], total: emptySums() };
  const pairs = new Map<string, PairWhatIf>();
  const sumsOf = (chainId: number, pair: string): PairWhatIf => {
    const key = `${chainId} ${pair}`;
    const known = pairs.get(key);
    if (known !== undefined) return known;
    const made = { chainId, pair, ...emptySums() };
    pairs.set(key, made);
    return made;
  };
  const desk = changedDesk(settings);
  const then = new Again();
  const worths = worthsOfQuotes(db);
  for (const past of pastDecisions(db, span, 'amounts')) {
    if (past.kind === 'started') {
      then.started();
      continue;
    }
    const { body, time } = past;
    if (past.kind === 'before') {
      if (body !== null) then.count(body, time);
      continue;
    }
    result.decisions += 1;
    if (past.kind !== 'same') {
      asItWas(result, past.kind === 'untold' ? past.why : 'its row is not what the desk gives');
      if (body?.pair == null) continue;
      then.count(body, time);
      keepAsItWas(sumsOf(body.chainId, body.pair), body, worths.of(past.seq, body));
      continue;
    }
    const decided = then.outcome(past.body, time, desk(past.state));
    if ('fault' in decided) throw new Error('A request that was decided cannot be decided again.');
    const { code, decision } = decided;
    const pair = decision.market?.pair.id ?? past.body.pair;
    if (pair === null) continue;
    const sums = sumsOf(past.body.chainId, pair);
    const worth = worths.of(past.seq, past.body);
    // Refused before the maker's balance was looked at: what it was by then nobody knows.
    if (past.body.exposure === null && decision.covered !== undefined) {
      asItWas(result, NOT_COVERED);
      keepAsItWas(sums, past.body, worth);
      continue;
    }
    if (code === null) then.count({ ...past.body, orderHash: past.body.orderHash ?? 'signed' }, time);
    each({ seq: past.seq, was: past.body, code, ask: decision.ask });
    judge(sums, worth, { was: past.body, code, ask: decision.ask });
  }
  result.pairs = [...pairs.values()].sort((a, b) => signedOf(b) - signedOf(a));
  for (const sums of result.pairs) addSums(result.total, sums);
  return result;
}

function asItWas({ asTheyWere }: WhatIf, why: string): void {
  asTheyWere[why] = (asTheyWere[why] ?? 0) + 1;
}

/** The desk of a moment with other settings. Pairs that stayed the same between two moments are changed once. */
function changedDesk({ ladders = [], limits = {} }: WhatIfSettings): (state: PastState) => PastState {
  if (ladders.length === 0 && Object.keys(limits).length === 0) return (state) => state;
  const chains = new WeakMap<ChainState, ChainState>();
  const pairs = new WeakMap<StoredPair, StoredPair>();
  const changedPair = (chainId: number, id: string, stored: StoredPair): StoredPair => {
    const known = pairs.get(stored);
    if (known !== undefined) return known;
    const made = repricedPair(ladders, { chainId, id, stored });
    pairs.set(stored, made);
    return made;
  };
  const changedChain = (chain: ChainState): ChainState => {
    const known = chains.get(chain);
    if (known !== undefined) return known;
    const { chainId } = chain;
    const changed = new Map([...chain.pairs].map(([id, stored]) => [id, changedPair(chainId, id, stored)]));
    const ofChain = limits[`${chainId}`];
    const settings = ofChain === undefined ? chain.settings : { ...chain.settings, limits: ofChain };
    const made = { ...chain, settings, pairs: changed };
    chains.set(chain, made);
    return made;
  };
  return ({ book, trading }) => {
    const changed = new Map([...book.chains].map(([chainId, chain]) => [chainId, changedChain(chain)]));
    return { book: { ...book, chains: changed }, trading };
  };
}

/** A ladder that cannot be changed so (nothing would be left of a size) would not have been published: the pair has none. */
function repricedPair(
  ladders: NonNullable<WhatIfSettings['ladders']>,
  { chainId, id, stored }: { chainId: number; id: string; stored: StoredPair },
): StoredPair {
  const read = ladderSchema.safeParse(stored.ladder.ladder);
  if (!read.success) return stored;
  let ladder: ReturnType<typeof repriced> | typeof read.data = read.data;
  let isChanged = false;
  for (const { pairs, chains, changes } of ladders) {
    if (pairs?.includes(id) === false || chains?.includes(chainId) === false) continue;
    isChanged = true;
    for (const change of changes) ladder = ladder === null ? null : repriced(ladder, change, false);
  }
  if (!isChanged) return stored;
  return { ...stored, ladder: { ...stored.ladder, ladder: ladder ?? { bids: [], asks: [] } } };
}

/** What an order would have been worth in dollars, or null where no price says it. */
interface Worths {
  /** Of the whole order, against the reference when its quote was decided; null without one. */
  readonly whole: (ask: Amounts) => Rational | null;
  /** Whether nothing of it was ever given to anybody. */
  readonly isWithheld: () => boolean;
  readonly fills: readonly FillWorth[];
}

interface FillWorth extends Amounts {
  /** Of a trade in the place of the fill: against the reference of its quote, and five minutes after the fill. */
  readonly edge: (amounts: Amounts) => Rational | null;
  readonly markout: (amounts: Amounts) => Rational | null;
}

type Amounts = Pick<Ask, 'makerAmount' | 'takerAmount'>;
type FillRow = { time: number; maker: string; taker: string; mid_edge: string | null; mid_after5m: string | null };
type QuoteRow = { time: number; ended: string | null; mid_edge: string | null };

function worthsOfQuotes(db: Database) {
  const fills = db.prepare<[number], FillRow>(`
    SELECT f.time, f.maker_amount AS maker, f.taker_amount AS taker, ${midColumn('edge')}, ${midColumn('after5m')}
    FROM fills f JOIN quotes q ON q.seq = f.quote_seq WHERE f.quote_seq = ? AND f.reverted = 0 ORDER BY f.seq`);
  const quote = db.prepare<[number], QuoteRow>(`
    SELECT f.time, f.ended, ${midColumn('edge')} FROM quotes f JOIN quotes q ON q.seq = f.seq WHERE f.seq = ?`);
  const tokens = listedTokens(db);
  const rate = dollarRates(db);
  return {
    of: (seq: number, { chainId, side, makerAsset, takerAsset, orderHash }: QuoteBody): Worths => {
      const token = tokens();
      const [base, counter] = side === 'bids' ? [takerAsset, makerAsset] : [makerAsset, takerAsset];
      const [baseToken, quoteToken] = [token(chainId, base), token(chainId, counter)];
      const worth = (mid: string | null, time: number) => (amounts: Amounts) => {
        const trade = tradeOf(side, amounts, baseToken?.decimals, quoteToken?.decimals);
        const dollars = trade === null || mid === null ? null : rate(chainId, quoteToken, time);
        return trade === null || mid === null || dollars === null ? null : mul(worthAt(trade, mid).gain, dollars);
      };
      return {
        whole: (ask) => {
          const row = quote.get(seq);
          return worth(row?.mid_edge ?? null, row?.time ?? 0)(ask);
        },
        isWithheld: () => quote.get(seq)?.ended === 'withheld',
        fills: (orderHash === null ? [] : fills.all(seq)).map((fill) => ({
          makerAmount: BigInt(fill.maker),
          takerAmount: BigInt(fill.taker),
          edge: worth(fill.mid_edge, fill.time),
          markout: worth(fill.mid_after5m, fill.time),
        })),
      };
    },
  };
}

function keepAsItWas(sums: Sums, { code }: QuoteBody, { fills }: Worths): void {
  if (code !== null) {
    sums.refused += 1;
    return;
  }
  sums.same += 1;
  for (const fill of fills) addFill(sums, fill, { is: fill, isSure: true });
}

function judge(sums: Sums, worths: Worths, { was, code, ask }: Omit<DecidedThen, 'seq'>): void {
  const { fills, whole, isWithheld } = worths;
  if (was.code !== null) {
    if (code !== null) sums.refused += 1;
    else if (ask !== undefined) {
      sums.signedThen += 1;
      addPerhaps(sums, whole(ask));
    }
    return;
  }
  const before = { makerAmount: BigInt(was.makerAmount ?? 0), takerAmount: BigInt(was.takerAmount ?? 0) };
  if (code !== null || ask === undefined) {
    sums.refusedThen[code ?? 'internal'] = (sums.refusedThen[code ?? 'internal'] ?? 0) + 1;
    for (const fill of fills) addFill(sums, fill, null);
    return;
  }
  // One of the two amounts was asked for, so that one comparison at most is not of equals.
  const isBetter = ask.makerAmount > before.makerAmount || ask.takerAmount < before.takerAmount;
  const isWorse = ask.makerAmount < before.makerAmount || ask.takerAmount > before.takerAmount;
  sums[isBetter ? 'better' : isWorse ? 'worse' : 'same'] += 1;
  for (const fill of fills) {
    addFill(sums, fill, { is: isBetter || isWorse ? shareOf(fill, before, ask) : fill, isSure: !isWorse });
  }
  if (isBetter && fills.length === 0 && !isWithheld()) addPerhaps(sums, whole(ask));
}

/** The same share of another order: what the maker gives is rounded up, and what it gets down. */
function shareOf(fill: Amounts, before: Amounts, ask: Amounts): Amounts {
  const [share, whole] = [fill.takerAmount, before.takerAmount];
  if (whole === 0n) return { makerAmount: 0n, takerAmount: 0n };
  return {
    makerAmount: (ask.makerAmount * share + whole - 1n) / whole,
    takerAmount: (ask.takerAmount * share) / whole,
  };
}

type Sums = WhatIf['total'];

/** A fill as it was, and as it would have been; null where its quote would have been refused. */
function addFill(sums: Sums, fill: FillWorth, then: { is: Amounts; isSure: boolean } | null): void {
  sums.fills.was += 1;
  if (then !== null) sums.fills[then.isSure ? 'sure' : 'perhaps'] += 1;
  for (const name of ['edge', 'markout'] as const) {
    const was = fill[name](fill);
    if (was === null) {
      if (name === 'edge') sums.unpriced += 1;
      continue;
    }
    const is = then === null ? null : fill[name](then.is);
    addTo(sums[name], { was, is: is ?? ZERO, isSure: then === null || then.isSure });
  }
}

/** A quote that nobody filled and somebody might have, whole or in part. */
function addPerhaps(sums: Sums, edge: Rational | null): void {
  sums.perhapsFilled += 1;
  if (edge === null) sums.unpriced += 1;
  else addTo(sums.edge, { was: ZERO, is: edge, isSure: false });
}

function addTo(band: Band, { was, is, isSure }: { was: Rational; is: Rational; isSure: boolean }): void {
  band.was = plus(band.was, was);
  if (isSure || is.n < 0n) band.low = plus(band.low, is);
  if (isSure || is.n > 0n) band.high = plus(band.high, is);
}

function emptySums(): Sums {
  return {
    better: 0,
    same: 0,
    worse: 0,
    refusedThen: {},
    signedThen: 0,
    refused: 0,
    fills: { was: 0, sure: 0, perhaps: 0 },
    perhapsFilled: 0,
    edge: { was: ZERO, low: ZERO, high: ZERO },
    markout: { was: ZERO, low: ZERO, high: ZERO },
    unpriced: 0,
  };
}

function signedOf({ better, same, worse, signedThen }: Sums): number {
  return better + same + worse + signedThen;
}

function addSums(total: Sums, sums: Sums): void {
  for (const name of ['better', 'same', 'worse', 'signedThen', 'refused', 'perhapsFilled', 'unpriced'] as const) {
    total[name] += sums[name];
  }
  for (const name of ['was', 'sure', 'perhaps'] as const) total.fills[name] += sums.fills[name];
  for (const [code, count] of Object.entries(sums.refusedThen)) {
    total.refusedThen[code] = (total.refusedThen[code] ?? 0) + count;
  }
  for (const name of ['edge', 'markout'] as const) {
    for (const end of ['was', 'low', 'high'] as const) total[name][end] = plus(total[name][end], sums[name][end]);
  }
}
