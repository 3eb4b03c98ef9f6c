import type { PairRow } from '../../../electron/contract/book.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import type { Closure, TradingState } from '../../../electron/contract/trading.ts';
import { stampText } from '../../components/figures/times.ts';
import type { MarkShape } from '../../components/mark.tsx';

export interface Quoting {
  word: string;
  shape: MarkShape;
  tone: 'ok' | 'attn' | 'stop' | 'quiet';
  why: string | null;
}

/** What a pair quotes now, in a word, a shape and a tone; the most serious cause is the one that is told. */
export function quotingOf(row: PairRow, state: TradingState, closed: Closure | null): Quoting {
  if (row.fault !== null) return { word: 'set apart', shape: 'refused', tone: 'stop', why: row.fault };
  if (closed !== null) {
    return { word: 'closed', shape: 'halted', tone: 'stop', why: `${closed}: ${REFUSALS[closed].sentence}` };
  }
  if (row.retiredUntil !== null) {
    const until = `Listed without prices until ${stampText(row.retiredUntil)} UTC, then gone.`;
    return { word: 'retired', shape: 'off', tone: 'quiet', why: until };
  }
  if (state === 'DRAIN')
    return { word: 'drain', shape: 'drain', tone: 'attn', why: 'Quotes on the last grid, serves none.' };
  if (!row.switches.pair || state === 'HALTED') {
    return { word: 'off', shape: 'off', tone: 'quiet', why: 'Switched off; served as {}.' };
  }
  const bids = row.switches.bids && row.bestBid !== null;
  const asks = row.switches.asks && row.bestAsk !== null;
  if (bids && asks) return { word: 'both', shape: 'live', tone: 'ok', why: null };
  if (bids) return { word: 'bids only', shape: 'drain', tone: 'quiet', why: sideWhy(row.switches.asks, 'ask') };
  if (asks) return { word: 'asks only', shape: 'drain', tone: 'quiet', why: sideWhy(row.switches.bids, 'bid') };
  return { word: 'no prices', shape: 'off', tone: 'quiet', why: 'No side has a price and is switched on.' };
}

/** Whether a side is quoted at all; what is not, is not shown as a price. */
export function isQuoted(row: PairRow, state: TradingState, closed: Closure | null, side: 'bids' | 'asks'): boolean {
  const stopped = state === 'HALTED' || closed !== null || row.fault !== null || row.retiredUntil !== null;
  return !stopped && row.switches.pair && row.switches[side];
}

function sideWhy(on: boolean, side: 'bid' | 'ask'): string {
  return on ? `There is no ${side} in the ladder.` : `The ${side}s are switched off.`;
}
