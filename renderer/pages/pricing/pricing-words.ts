import type { PairRow } from '../../../electron/contract/book.ts';
import { type Formula, formulaTexts } from '../../../electron/contract/formula.ts';
import type { FormulaClosing, TriedFormula } from '../../../electron/contract/formula-prices.ts';
import { tokenOf } from '../../../electron/contract/names.ts';
import { compareDecimals, groupedText, readDecimal, withPlaces } from '../../components/figures/decimal-text.ts';
import { narrowPricePlaces } from '../../components/figures/prices.ts';
import type { MarkShape } from '../../components/mark.tsx';
import { asSentence } from '../../components/sentence.tsx';
import type { ShownTerm } from './terms.ts';

export const TERM_NAMES: Record<ShownTerm['term'], string> = {
  mid: 'Mid',
  spread: 'Half spread',
  skew: 'Inventory skew',
  volatility: 'Volatility',
  age: 'Age of the mid',
  rounding: 'Rounding',
  steps: 'Steps to the level',
};

/** Digits behind the point that anybody reads of a setting or an input. */
const MOST_PLACES = 4;

/** A figure of a formula as it is read: grouped, cut where nobody reads on, without needless zeros; `fixed`: with so many decimals, of what moves. */
export function figureText(exact: string, fixed?: number): string {
  const read = readDecimal(exact);
  if (read === null) return exact;
  if (fixed !== undefined) return groupedText(withPlaces(read, fixed, 'down'));
  let { digits, places } = withPlaces(read, Math.min(read.places, MOST_PLACES), 'down');
  // A small rate is not nothing.
  if (digits === 0n && read.digits !== 0n) ({ digits, places } = read);
  while (places > 0 && digits % 10n === 0n) ({ digits, places } = { digits: digits / 10n, places: places - 1 });
  return groupedText({ digits, places });
}

/** What can close a pair, as the row of a table names it. `base`: what positions are of. */
export function closingName({ by, closes }: FormulaClosing, formula: Formula | null, base: string): string {
  switch (by) {
    case 'age':
      return 'Mid too old';
    case 'sources_fresh':
      return 'Fresh sources below';
    case 'sources_apart':
      return 'Sources apart';
    case 'volatility':
      return `Volatility, ${formula?.volatility?.windowSeconds ?? ''} s`;
    case 'spread':
      return 'Asked spread';
    case 'position':
      return closes === 'bids' ? `Long ${base}` : `Short ${base}`;
    case 'levels':
      return 'A level comes to nothing';
  }
}

const UNITS: Record<FormulaClosing['by'], string> = {
  age: '\u00a0s',
  sources_fresh: '',
  sources_apart: '\u00a0bps',
  volatility: '\u00a0bps',
  spread: '\u00a0bps',
  position: '',
  levels: '',
};

/** A figure of it with its unit; `—` where there is none. Ages and bps have one decimal, rounded up as the sentences of the desk are. */
export function closingFigure({ by }: FormulaClosing, figure: string | null): string {
  if (figure === null) return '—';
  const read = UNITS[by] === '' ? null : readDecimal(figure);
  return `${read === null ? figureText(figure) : groupedText(withPlaces(read, 1, 'up'))}${UNITS[by]}`;
}

/** Who prices a pair, in a word or two. */
export function pricedBy(row: PairRow): string {
  if (row.byHand === true) return row.formula === undefined ? 'hand' : 'hand, its formula waits';
  if (row.formula !== undefined) return 'formula';
  const engine = tokenOf(row.publishedBy);
  if (engine !== null) return `engine ${engine}`;
  return row.follow?.on === true ? 'follows the reference' : 'hand';
}

/** Decimals of a pair's mid, one more than its prices have: they stay the same whatever the mid is at the moment. */
export function midPlaces({ bestBid, bestAsk }: Pick<PairRow, 'bestBid' | 'bestAsk'>, mid: string): number {
  const places = bestBid === null && bestAsk === null ? null : narrowPricePlaces([bestBid, bestAsk]) + 1;
  return Math.min(MOST_MID_PLACES, places ?? narrowPricePlaces([mid]));
}

/** Decimals of a mid that have room. */
const MOST_MID_PLACES = 9;

/** Who published what is live, after its age: `by root`, `with the reference`. */
export function publisherText(actor: string): string {
  return actor === 'follow' ? 'with the reference' : `by ${actor}`;
}

/** Why a pair, or a side of it, is not quoted as it should be, in sentences; null where both are. */
export function whyNot(row: PairRow): string | null {
  const { fault, retiredUntil, formula, byHand, unquoted, closedWhy } = row;
  if (fault !== null) return asSentence(`set aside: ${fault}`);
  if (retiredUntil !== null) return 'Retired.';
  if (formula?.note != null && byHand !== true) return asSentence(formula.note);
  if (closedWhy !== undefined) return closedWhy;
  const [bids, asks] = [unquoted?.bids ?? null, unquoted?.asks ?? null];
  if (bids === asks) return bids;
  return [bids === null ? [] : `We do not buy: ${bids}`, asks === null ? [] : `We do not sell: ${asks}`]
    .flat()
    .join(' ');
}

type Quotable = Pick<PairRow, 'fault' | 'retiredUntil' | 'formula' | 'byHand' | 'unquoted' | 'closedWhy'>;

/** Whether a side of a pair is quoted as it stands. */
export function isQuoted(row: Quotable, side: 'bids' | 'asks'): boolean {
  const { fault, retiredUntil, formula, byHand, unquoted, closedWhy } = row;
  const isFormulaSilent = formula?.note != null && byHand !== true;
  if (fault !== null || retiredUntil !== null || isFormulaSilent || closedWhy !== undefined) return false;
  return (unquoted?.[side] ?? null) === null;
}

/** What a formula closes now, with why, the end of a sentence; null where it prices both sides. */
export function closedBy({
  why,
  closings,
}: Pick<TriedFormula, 'why' | 'closings'>): { closes: FormulaClosing['closes']; why: string } | null {
  if (why !== null) return { closes: 'pair', why };
  const side = closings.find((one) => one.closes !== 'pair' && one.why !== null);
  return side?.why == null ? null : { closes: side.closes, why: side.why };
}

/**
 * What has to come for the pair, or for a side that a formula closes, to open again, a sentence; empty where that is not known. A half spread
 * over the limit, or sizes of nothing, never come right by themselves.
 */
export function opensAgain(
  closes: FormulaClosing['closes'],
  formula: Formula | null,
  closings: readonly FormulaClosing[],
): string {
  const [it, stays, opens] =
    closes === 'pair' ? ['It', 'stays', 'opens by itself'] : ['They', 'stay', 'open by themselves'];
  const levels = closings.filter(({ by, why }) => by === 'levels' && why !== null);
  const [spread, limit] = [readDecimal(formula?.spreadBps ?? ''), readDecimal(formula?.closesAboveSpreadBps ?? '')];
  const isTooWide = spread !== null && limit !== null && compareDecimals(spread, limit) > 0;
  // The prices of asks are above zero: what comes to nothing there is a size. A bid may, with the mid, come to a price again.
  const isFixed = closes === 'pair' ? isTooWide : closes === 'asks' && levels.some((one) => one.closes === closes);
  if (isFixed) return `${it} ${stays} closed until the formula is changed.`;
  const isUnsure = levels.some((one) => closes === 'pair' || one.closes === closes);
  return isUnsure ? '' : `${it} ${opens} once that is over.`;
}

/** What is not quoted of a pair in a word or two, marked as the Desk page marks it; null where both sides are. */
export function notQuoted(
  row: Quotable & Pick<PairRow, 'switches'>,
): { word: string; shape: MarkShape; tone: 'quiet' | 'attn' | 'stop' } | null {
  const off = (['bids', 'asks'] as const).filter((side) => !isQuoted(row, side));
  const [first] = off;
  if (first === undefined) return null;
  const { fault, retiredUntil, switches } = row;
  // What a person switched off is nothing that is wrong.
  const isMeant = retiredUntil !== null || !switches.pair || off.every((side) => !switches[side]);
  const isCalm = fault === null && isMeant;
  if (off.length === 1) return { word: `${first} off`, shape: 'drain', tone: isCalm ? 'quiet' : 'attn' };
  return isCalm
    ? { word: 'not quoted', shape: 'off', tone: 'quiet' }
    : { word: 'not quoted', shape: fault === null ? 'halted' : 'refused', tone: 'stop' };
}

/** A part of a formula that becomes another one; null where it is not there. */
export interface FormulaChange {
  part: string;
  before: string | null;
  after: string | null;
}

const PART_NAMES: Record<string, string> = {
  spread: 'Spread',
  tick: 'Tick',
  bids: 'Bids',
  asks: 'Asks',
  inventory: 'Inventory',
  volatility: 'Volatility',
  age: 'Age',
};

/** What becomes another in a formula, part by part, before and after. */
export function changesOf(before: Formula | null, after: Formula, base: string): FormulaChange[] {
  const textsOf = (formula: Formula | null, figure?: (exact: string) => string) =>
    formula === null ? {} : formulaTexts(formula, figure, base);
  const [old, next] = [textsOf(before), textsOf(after)];
  const [oldShown, nextShown] = [textsOf(before, figureText), textsOf(after, figureText)];
  return Object.entries(PART_NAMES)
    .filter(([key]) => old[key] !== next[key])
    .map(([key, part]) => ({ part, before: oldShown[key] ?? null, after: nextShown[key] ?? null }));
}
