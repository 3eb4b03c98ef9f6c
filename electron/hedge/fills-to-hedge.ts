import type { HedgedFill } from '../contract/hedge.ts';
import type { HedgeAsk } from '../contract/hedge-terms.ts';
import type { HedgeOpened } from '../journal/hedges/events.ts';
import type { HedgeRecord } from '../journal/hedges/fold.ts';
import type { UnhedgedFill } from '../journal/hedges/read.ts';
import type { OpenFill } from '../journal/hedges/share-hedge.ts';
import type { Address } from '../protocol/address.ts';
import { fromRaw } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { chainOf, type HedgeParts } from './hedge-parts.ts';

/** So many fills may be chosen for one hedge, and so many are read at a time. */
export const MOST_FILLS = 500;
const DEFAULT_SLIPPAGE_BPS = 50;
const NOTHING_OPEN = 'Nothing of these fills is open.';
const TWO_BASES = 'These fills are of two tokens: the base of their pair was given another address between them.';

type Ends = Pick<HedgeOpened, 'src' | 'dest' | 'side' | 'amount'>;

/**
 * The pair and fills that a hedge is for: those that were chosen, or the oldest of the pair of its two tokens that have
 * something open the other way and no hedge among `underWay`, as far as the amount goes. Throws DeskError `bad_fills`.
 */
export async function fillsFor(
  { book, journal, now }: Pick<HedgeParts, 'book' | 'journal' | 'now'>,
  ends: Ends,
  chosen: readonly number[],
  underWay: readonly HedgeRecord[] = [],
): Promise<Pick<HedgeOpened, 'pair' | 'fillSeqs'>> {
  if (chosen.length > 0) return chosenFills(await readFills(journal, now, chosen), chosen, ends);
  const { src, dest, side, amount } = ends;
  if (src.chainId !== dest.chainId) return { pair: null, fillSeqs: [] };
  const market = chainOf({ book }, src.chainId).market(src.address as Address, dest.address as Address);
  if (market === undefined) return { pair: null, fillSeqs: [] };
  const { pair } = market;
  const sellsBase = pair.base.address === src.address;
  // The amount counts base only where base is the fixed side; otherwise every open fill the other way may be meant.
  const countsBase = sellsBase === (side === 'SELL');
  let left = BigInt(amount);
  const fillSeqs: number[] = [];
  const { chainId } = src;
  for await (const { seq, asset, open, hedges } of openFills(journal, { chainId, pair: pair.id, after: 0 })) {
    if (asset !== pair.base.address || open === 0n || open > 0n !== sellsBase) continue;
    if (coveringHedges(underWay, [{ hedges }]).length > 0) continue;
    if (countsBase && left <= 0n) break;
    fillSeqs.push(seq);
    left -= open < 0n ? -open : open;
  }
  return { pair: fillSeqs.length === 0 ? null : pair.id, fillSeqs };
}

/** Those of these hedges that one of these fills has or had. */
export function coveringHedges(
  underWay: readonly HedgeRecord[],
  fills: readonly Pick<HedgedFill, 'hedges'>[],
): HedgeRecord[] {
  if (underWay.length === 0) return [];
  const had = new Set(fills.flatMap(({ hedges }) => hedges));
  return underWay.filter(({ seq }) => had.has(seq));
}

/** An open fill with the base token that it moved, and its hedges, by their rows of the journal. */
export type FillToHedge = OpenFill & Pick<UnhedgedFill, 'asset'> & Pick<HedgedFill, 'hedges'>;

/** The fills of a pair behind row `after` of which no hedge runs and something is open, oldest first, however many there are. */
export async function* openFills(
  { read }: HedgeParts['journal'],
  which: { chainId: number; pair: string; after: number },
): AsyncGenerator<FillToHedge> {
  let { after } = which;
  for (;;) {
    const page = await read.unhedgedFills({ ...which, after, limit: MOST_FILLS });
    for (const { seq, asset, open, hedges } of page) yield { seq, asset, open: BigInt(open), hedges };
    const last = page.at(-1);
    if (last === undefined || page.length < MOST_FILLS) return;
    after = last.seq;
  }
}

/**
 * The fills that a hedge of `wanted` base units of the net of `open` is for, and how much of it they make up. All of them, or where
 * those are too many for one hedge the biggest of the side that is hedged, and with them, oldest first, as many of the other side
 * as leave it made up.
 */
export function fillsMakingUp(
  open: readonly OpenFill[],
  net: bigint,
  wanted: bigint,
): { fillSeqs: number[]; amount: bigint } {
  if (open.length <= MOST_FILLS) return { fillSeqs: open.map(({ seq }) => seq), amount: wanted };
  const sized = open.map((fill) => ({ seq: fill.seq, size: net > 0n ? fill.open : -fill.open }));
  const own = sized.filter(({ size }) => size > 0n).sort((a, b) => (a.size < b.size ? 1 : a.size > b.size ? -1 : 0));
  const others = sized.filter(({ size }) => size < 0n);
  const fillSeqs: number[] = [];
  let made = 0n;
  while (fillSeqs.length < MOST_FILLS) {
    const other = others[0];
    const next = other !== undefined && made + other.size >= wanted ? others.shift() : own.shift();
    if (next === undefined) break;
    fillSeqs.push(next.seq);
    made += next.size;
  }
  return { fillSeqs, amount: made < wanted ? made : wanted };
}

function chosenFills(
  fills: HedgedFill[],
  chosen: readonly number[],
  { src, dest }: Ends,
): Pick<HedgeOpened, 'pair' | 'fillSeqs'> {
  const [first] = fills;
  if (first === undefined || fills.length !== new Set(chosen).size) throw bad('Some of these fills are not known.');
  for (const fill of fills) {
    if (fill.pair !== first.pair || fill.chainId !== first.chainId) throw bad('These fills are of more than one pair.');
    if (fill.cover === 'taken_back') throw bad('One of these fills was taken back by the chain.');
    if (fill.cover === 'hedging') throw bad('A hedge of one of these fills runs already.');
    if (fill.cover === 'hedged') throw bad('One of these fills is hedged already.');
    if (fill.base?.address !== first.base?.address) throw bad(TWO_BASES);
  }
  const { chainId, base } = first;
  const is = (end: Ends['src']) => end.chainId === chainId && end.address === base?.address;
  if (!is(src) && !is(dest)) throw bad('A hedge of these fills buys or sells their base token.');
  const open = fills.reduce((sum, { unhedgedBase }) => sum + BigInt(unhedgedBase), 0n);
  if (open === 0n) throw bad(NOTHING_OPEN);
  if (open > 0n !== is(src)) {
    throw bad(
      `A hedge of these fills ${open > 0n ? 'sells' : 'buys'} ${base?.symbol}, and this one ${is(src) ? 'sells' : 'buys'} it.`,
    );
  }
  return { pair: first.pair, fillSeqs: [...chosen].sort((a, b) => a - b) };
}

/** What would hedge these fills: their net base, sold for or bought with the quote token. Throws DeskError `bad_fills`. */
export async function askForFills(
  { journal, now }: Pick<HedgeParts, 'journal' | 'now'>,
  { chainId: askedChain, pair: askedPair, fillSeqs }: { chainId: number; pair: string; fillSeqs: readonly number[] },
): Promise<HedgeAsk & { amountRaw: string }> {
  const fills = await readFills(journal, now, fillSeqs);
  if (fills.length !== new Set(fillSeqs).size) throw bad('Some of these fills are not known.');
  const [first] = fills;
  if (first?.base == null || first.quote == null) throw bad('These fills are of tokens that are not listed.');
  if (fills.some(({ pair, chainId }) => pair !== askedPair || chainId !== askedChain)) {
    throw bad(`Some of these fills are not of ${askedPair}.`);
  }
  if (fills.some(({ cover }) => cover === 'taken_back')) throw bad('One of these fills was taken back by the chain.');
  if (fills.some((fill) => fill.base?.address !== first.base?.address)) throw bad(TWO_BASES);
  const open = fills.reduce((sum, { unhedgedBase }) => sum + BigInt(unhedgedBase), 0n);
  if (open === 0n) throw bad(NOTHING_OPEN);
  const { chainId, base, quote } = first;
  const size = open < 0n ? -open : open;
  const [srcToken, destToken] = open > 0n ? [base.address, quote.address] : [quote.address, base.address];
  return {
    chainId,
    srcToken,
    destToken,
    side: open > 0n ? 'SELL' : 'BUY',
    slippageBps: DEFAULT_SLIPPAGE_BPS,
    amount: fromRaw(size, base.decimals),
    amountRaw: `${size}`,
  };
}

export async function readFills(
  journal: HedgeParts['journal'],
  now: () => number,
  seqs: readonly number[],
): Promise<HedgedFill[]> {
  const fills = await journal.read.hedgedFills({ seqs: [...seqs], limit: MOST_FILLS, now: now() });
  const broken = fills.find(({ unreadable }) => unreadable !== undefined);
  if (broken !== undefined) throw bad(`The fill in row ${broken.seq} cannot be hedged: ${broken.unreadable}.`);
  return fills;
}

function bad(sentence: string): DeskError {
  return new DeskError('bad_fills', sentence);
}
