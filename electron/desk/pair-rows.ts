import type { z } from 'zod';
import type { BookPair, ChainBook } from '../book/chain-book.ts';
import { hasReference } from '../book/combine-sources.ts';
import { type PairRow, pairRowSchema } from '../contract/book.ts';
import { formulaOf } from '../contract/formula.ts';
import { REFUSALS, type RefusalCode } from '../contract/refusal.ts';
import type { Guard } from '../guard/guard.ts';
import type { DollarParts } from '../guard/rule-dollars.ts';
import { checkedRow } from '../journal/checked-row.ts';
import type { PairCounts } from '../journal/quotes/pair-hours.ts';
import { add, div, floor, fromRaw, mul, parseDecimal, sub } from '../protocol/decimal.ts';
import type { Side } from '../protocol/side.ts';
import type { Level } from '../protocol/wire.ts';
import { dollarsOf } from './dollars-of.ts';
import { ladderWorth } from './ladder-worth.ts';
import type { ReferencePolls } from './reference-polls.ts';
import type { ReferenceOf } from './references-of.ts';

/** What a row shows of the reference, and of those that say what its tokens are worth. */
export interface PairFollowing extends DollarParts {
  referenceOf: ReferenceOf;
  followers: Pick<ReferencePolls, 'of'>;
}

/** What a pair's day came to, and of how many orders signed in it something was filled. */
export type PairToday = PairCounts & { filledOrders: number };

const NOTHING_TODAY = { signed: 0, refused: 0, filled: 0, filledOrders: 0, volumes: [] as PairCounts['volumes'] };

/** What a row shows beside the book and the guard. */
export interface PairFigures {
  /** Since 00:00 UTC. */
  today(chainId: number, pair: string): PairToday | undefined;
  /** Cells of the shared draft that wait to be published. */
  draftCells(chainId: number, pair: string): number;
}

/** A row of the blotter for every pair of a chain, also those that are set apart or off. */
export function pairRows(chain: ChainBook, guard: Guard, figures: PairFigures, following: PairFollowing): PairRow[] {
  const dollars = dollarsOf(chain, following);
  const stopped = guard.chainRefusal(chain);
  return [...chain.pairs.values()].map((pair) => ({
    ...pairRow(chain, pair, guard, figures),
    ...(chain.config.byHand?.includes(pair.id) && { byHand: true }),
    ...followingOf(chain, pair, following, figures.draftCells(chain.chainId, pair.id)),
    offReference: offReferenceOf(chain, pair, guard),
    unquoted: {
      bids: whyUnquoted(chain, pair, 'bids', guard, stopped),
      asks: whyUnquoted(chain, pair, 'asks', guard, stopped),
    },
    dollars: dollars(pair.quote),
  }));
}

function pairRow(chain: ChainBook, pair: BookPair, guard: Guard, figures: PairFigures): PairRow {
  const { chainId } = chain;
  const isOn = (side?: 'bids' | 'asks') => guard.trading.said({ chainId, pair: pair.id, side })?.state !== 'HALTED';
  return {
    ...steadyOf(chainId, pair, figures.today(chainId, pair.id) ?? NOTHING_TODAY),
    switches: { pair: isOn(), bids: isOn('bids'), asks: isOn('asks') },
    ...closedByItself(chain, pair, guard),
    draftCells: figures.draftCells(chainId, pair.id),
  };
}

/** Why nothing of a side is quoted now, for a person; null where a request would be signed as far as the ladder goes. */
function whyUnquoted(
  chain: ChainBook,
  pair: BookPair,
  side: Side,
  guard: Guard,
  stopped: RefusalCode | null,
): string | null {
  if (pair.fault !== null) return `The pair is set aside: ${pair.fault}.`;
  if (stopped === null) {
    const closure = guard.pairClosure(chain, pair);
    if (closure !== null) return closure.sentence;
  }
  const refused = stopped ?? guard.sideRefusal(chain, pair, side);
  if (refused !== null) return REFUSALS[refused].sentence;
  if (pair[side].length === 0) return REFUSALS.no_price.sentence;
  const [id, { address }] = side === 'bids' ? [pair.definition.quote, pair.quote] : [pair.definition.base, pair.base];
  const { balance, allowance } = guard.orders.of(chain.chainId).covered(address);
  if (balance === null || allowance === null) return `It is not known how much ${id} the maker holds.`;
  if (balance === 0n) return `The maker holds no ${id}.`;
  if (guard.quotable(chain, address) > 0n) return null;
  return `All the ${id} that is held and approved is signed for already, taken by a hedge under way, or kept back by a limit.`;
}

type Today = typeof NOTHING_TODAY | PairToday;
const steadySchema = pairRowSchema.omit({
  switches: true,
  closed: true,
  closedWhy: true,
  unquoted: true,
  draftCells: true,
});
type Steady = z.infer<typeof steadySchema>;

const steady = new WeakMap<BookPair, { today: Today; part: Steady }>();

/** The part of a row that stays until the pair or its counts are others: the view reads every row ten times a second. */
function steadyOf(chainId: number, pair: BookPair, today: Today): Steady {
  const known = steady.get(pair);
  if (known?.today === today) return known.part;
  const part = checkedRow(
    steadySchema,
    () => steadyPart(chainId, pair, today),
    (why) => emptyPart(chainId, pair, why),
  );
  steady.set(pair, { today, part });
  return part;
}

function steadyPart(chainId: number, pair: BookPair, today: Today): Steady {
  const { ladder } = pair.ladder;
  const { signed, refused, filled, filledOrders, volumes } = today;
  const [bid, ask] = [ladder.bids[0], ladder.asks[0]];
  const volume = volumes.find(({ asset }) => asset === pair.quote.address) ?? { signed: '0', filled: '0' };
  const inQuote = (raw: string) => fromRaw(BigInt(raw), pair.quote.decimals);
  return {
    chainId,
    pair: pair.id,
    base: pair.definition.base,
    quote: pair.definition.quote,
    bestBid: bid?.[0] ?? null,
    bestBidAmount: bid?.[1] ?? null,
    bestAsk: ask?.[0] ?? null,
    bestAskAmount: ask?.[1] ?? null,
    spreadTenthBps: spreadTenthBps(bid, ask),
    revision: pair.ladder.revision,
    publishedAt: pair.ladder.time,
    publishedBy: pair.ladder.actor,
    retiredUntil: pair.retiredUntil,
    fault: pair.fault,
    worth: ladderWorth(ladder),
    today: {
      signed,
      refused,
      filled,
      filledOrders,
      signedVolume: inQuote(volume.signed),
      filledVolume: inQuote(volume.filled),
    },
  };
}

/** A pair that cannot be shown: it is there, and red. */
function emptyPart(chainId: number, { id, definition, fault, retiredUntil, ladder }: BookPair, why: string): Steady {
  return {
    chainId,
    pair: id,
    base: definition.base,
    quote: definition.quote,
    retiredUntil,
    bestBid: null,
    bestBidAmount: null,
    bestAsk: null,
    bestAskAmount: null,
    spreadTenthBps: null,
    revision: 0,
    publishedAt: 0,
    publishedBy: ladder.actor || 'unknown',
    fault: fault ?? `cannot be shown: ${why}`,
    today: { signed: 0, refused: 0, filled: 0, filledOrders: 0 },
  };
}

function closedByItself(chain: ChainBook, pair: BookPair, guard: Guard): Pick<PairRow, 'closed' | 'closedWhy'> {
  const closure = guard.pairClosure(chain, pair);
  if (closure !== null) return { closed: closure.code, closedWhy: closure.sentence };
  for (const side of ['bids', 'asks'] as const) {
    const code = guard.sideRefusal(chain, pair, side);
    if (code === 'ladder_stale' || code === 'prices_stale' || code === 'reference_stale') return { closed: code };
  }
  return { closed: null };
}

/** Null where both sides stand well; a pair that serves nothing has no side that could stand wrong. */
function offReferenceOf(chain: ChainBook, pair: BookPair, guard: Guard): PairRow['offReference'] {
  if (pair.fault !== null || pair.retiredUntil !== null) return null;
  const off = guard.offReference(chain, pair);
  return off === null || (off.bids === null && off.asks === null) ? null : off;
}

function followingOf(
  { chainId, config }: ChainBook,
  { id }: BookPair,
  { referenceOf, followers }: PairFollowing,
  draftCells: number,
): Pick<PairRow, 'reference' | 'hasReference' | 'follow' | 'formula'> {
  const on = config.follow.includes(id);
  const outcome = followers.of(chainId).followers.get(id);
  // What was last found of a draft is over as soon as nobody has changed anything in it any more.
  const isOver = outcome?.kind === 'waits' && draftCells === 0;
  const note = on && !isOver && outcome !== undefined && 'sentence' in outcome ? outcome.sentence : null;
  const isAny = hasReference(config, id);
  const hasFormula = formulaOf(config, id) !== null;
  const isPriced = hasFormula && !config.byHand?.includes(id);
  const why = isPriced && outcome !== undefined && 'sentence' in outcome ? outcome.sentence : null;
  return {
    reference: isAny ? referenceOf(chainId, id) : null,
    hasReference: isAny,
    follow: { on, note },
    ...(hasFormula && { formula: { note: why } }),
  };
}

/** (ask − bid) / mid in tenths of a basis point, rounded down; null without both sides or when they cannot be read. */
export function spreadTenthBps(bid: Level | undefined, ask: Level | undefined): number | null {
  if (bid === undefined || ask === undefined) return null;
  const [low, high] = [parseDecimal(bid[0]), parseDecimal(ask[0])];
  const doubleMid = add(low, high);
  if (doubleMid.n === 0n) return null;
  return Number(floor(mul(div(sub(high, low), doubleMid), { n: 200_000n, d: 1n })));
}
