import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { PairRow } from '../contract/book.ts';
import type { Guard } from '../guard/guard.ts';
import type { PairCounts } from '../journal/stored.ts';
import { add, div, floor, fromRaw, mul, parseDecimal, sub } from '../protocol/decimal.ts';
import type { Level } from '../protocol/wire.ts';
import { dollarsOf } from './dollars-of.ts';
import { ladderWorth } from './ladder-worth.ts';
import type { ReferencePolls } from './reference-polls.ts';
import type { ReferenceOf } from './references-of.ts';

/** What a row shows of the reference. */
export interface PairFollowing {
  referenceOf: ReferenceOf;
  followers: Pick<ReferencePolls, 'of'>;
}

const NOTHING_TODAY = { signed: 0, refused: 0, filled: 0, volumes: [] as PairCounts['volumes'] };

/** What a row shows beside the book and the guard. */
export interface PairFigures {
  /** Since 00:00 UTC. */
  today(chainId: number, pair: string): PairCounts | undefined;
  /** Cells of the shared draft that wait to be published. */
  draftCells(chainId: number, pair: string): number;
}

/** A row of the blotter for every pair of a chain, also those that are set apart or off. */
export function pairRows(chain: ChainBook, guard: Guard, figures: PairFigures, following: PairFollowing): PairRow[] {
  const dollars = dollarsOf(chain, following.referenceOf);
  return [...chain.pairs.values()].map((pair) => ({
    ...pairRow(chain, pair, guard, figures),
    ...followingOf(chain, pair, following),
    dollars: dollars(pair.quote),
  }));
}

function pairRow(chain: ChainBook, pair: BookPair, guard: Guard, figures: PairFigures): PairRow {
  const { chainId } = chain;
  const isOn = (side?: 'bids' | 'asks') => guard.trading.said({ chainId, pair: pair.id, side })?.state !== 'HALTED';
  return {
    ...steadyOf(chainId, pair, figures.today(chainId, pair.id) ?? NOTHING_TODAY),
    switches: { pair: isOn(), bids: isOn('bids'), asks: isOn('asks') },
    closed: closedByItself(chain, pair, guard),
    draftCells: figures.draftCells(chainId, pair.id),
  };
}

type Today = typeof NOTHING_TODAY | PairCounts;
type Steady = Omit<PairRow, 'switches' | 'closed' | 'draftCells'>;

const steady = new WeakMap<BookPair, { today: Today; part: Steady }>();

/** The part of a row that stays until the pair or its counts are others: the view reads every row ten times a second. */
function steadyOf(chainId: number, pair: BookPair, today: Today): Steady {
  const known = steady.get(pair);
  if (known?.today === today) return known.part;
  const part = steadyPart(chainId, pair, today);
  steady.set(pair, { today, part });
  return part;
}

function steadyPart(chainId: number, pair: BookPair, { signed, refused, filled, volumes }: Today): Steady {
  const { ladder } = pair.ladder;
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
      ...{ signed, refused, filled },
      ...{ signedVolume: inQuote(volume.signed), filledVolume: inQuote(volume.filled) },
    },
  };
}

function closedByItself(chain: ChainBook, pair: BookPair, guard: Guard): PairRow['closed'] {
  for (const side of ['bids', 'asks'] as const) {
    const code = guard.sideRefusal(chain, pair, side);
    if (code === 'ladder_stale' || code === 'reference_stale') return code;
  }
  return null;
}

function followingOf(
  { chainId, config }: ChainBook,
  { id }: BookPair,
  { referenceOf, followers }: PairFollowing,
): Pick<PairRow, 'reference' | 'follow'> {
  const on = config.follow.includes(id);
  const outcome = followers.of(chainId).followers.get(id);
  const note = on && outcome !== undefined && outcome.kind !== 'follows' ? outcome.sentence : null;
  return { reference: config.referenceUrl === null ? null : referenceOf(chainId, id), follow: { on, note } };
}

/** (ask − bid) / mid in tenths of a basis point, rounded down; null without both sides or when they cannot be read. */
function spreadTenthBps(bid: Level | undefined, ask: Level | undefined): number | null {
  if (bid === undefined || ask === undefined) return null;
  const [low, high] = [parseDecimal(bid[0]), parseDecimal(ask[0])];
  const doubleMid = add(low, high);
  if (doubleMid.n === 0n) return null;
  return Number(floor(mul(div(sub(high, low), doubleMid), { n: 200_000n, d: 1n })));
}
