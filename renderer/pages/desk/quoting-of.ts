import type { PairRow } from '../../../electron/contract/book.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import type { Closure, ShownState } from '../../../electron/contract/trading.ts';
import { stampText } from '../../components/figures/times.ts';
import type { MarkShape } from '../../components/mark.tsx';
import { zoneName } from '../../state/time-zone.ts';

export interface Quoting {
  word: string;
  shape: MarkShape;
  tone: 'ok' | 'attn' | 'stop' | 'quiet';
  why: string | null;
}

/** What a pair quotes now, in a word, a shape and a tone; the most serious cause is the one that is told. */
export function quotingOf(row: PairRow, state: ShownState, closed: Closure | null): Quoting {
  if (row.fault !== null) return { word: 'set aside', shape: 'refused', tone: 'stop', why: row.fault };
  if (closed !== null) {
    const why = (closed === row.closed && row.closedWhy) || REFUSALS[closed].sentence;
    return { word: 'closed', shape: 'halted', tone: 'stop', why: `${closed}: ${why}` };
  }
  if (row.retiredUntil !== null) {
    const until = `Listed without prices until ${stampText(row.retiredUntil)} ${zoneName(row.retiredUntil)}, then gone.`;
    return { word: 'retired', shape: 'off', tone: 'quiet', why: until };
  }
  if (state === 'DRAIN')
    return { word: 'drain', shape: 'drain', tone: 'attn', why: 'Quotes on the last grid, serves none.' };
  if (!row.switches.pair || state === 'HALTED') {
    return {
      word: 'off',
      shape: 'off',
      tone: 'quiet',
      why: 'Switched off: counterparties see the pair without prices.',
    };
  }
  const [bids, asks] = [isSideQuoted(row, 'bids'), isSideQuoted(row, 'asks')];
  const off = (['bids', 'asks'] as const).filter((side) => row.offReference?.[side]?.closed === true);
  if (off.length > 0) {
    const word = bids ? 'bids only' : asks ? 'asks only' : 'closed';
    const why = `off_reference: ${off.join(' and ')} stand off the reference and are closed while that lasts.`;
    return { word, shape: 'halted', tone: 'stop', why };
  }
  const hindered = hindranceOf(row);
  if (!bids && !asks && hindered !== null) return { word: 'nothing', shape: 'halted', tone: 'stop', why: hindered };
  if (bids !== asks && hindered !== null) {
    return { word: bids ? 'bids only' : 'asks only', shape: 'drain', tone: 'attn', why: hindered };
  }
  // It is quoted, and brings nothing: that is told before which sides are.
  if (row.skipped !== undefined && (bids || asks)) {
    return { word: 'skipped', shape: 'look', tone: 'attn', why: row.skipped };
  }
  if (bids && asks) return { word: 'both', shape: 'live', tone: 'ok', why: null };
  if (bids) return { word: 'bids only', shape: 'drain', tone: 'quiet', why: sideWhy(row.switches.asks, 'ask') };
  if (asks) return { word: 'asks only', shape: 'drain', tone: 'quiet', why: sideWhy(row.switches.bids, 'bid') };
  return { word: 'no prices', shape: 'off', tone: 'quiet', why: 'No side has a price and is switched on.' };
}

/** Whether a side is quoted at all; what is not, is not shown as a price. */
export function isQuoted(row: PairRow, state: ShownState, closed: Closure | null, side: 'bids' | 'asks'): boolean {
  const stopped = state === 'HALTED' || closed !== null || row.fault !== null || row.retiredUntil !== null;
  return !stopped && row.switches.pair && row.switches[side] && !isHindered(row, side);
}

function isSideQuoted(row: PairRow, side: 'bids' | 'asks'): boolean {
  const price = side === 'bids' ? row.bestBid : row.bestAsk;
  return row.switches[side] && price !== null && !isHindered(row, side);
}

/** What is switched on and has a price, and is not quoted all the same. */
function isHindered({ offReference, unquoted }: PairRow, side: 'bids' | 'asks'): boolean {
  return offReference?.[side]?.closed === true || (unquoted?.[side] ?? null) !== null;
}

/** Why a side with a price that nobody switched off is not quoted: no cover, or what else the guard says; null where none is. */
function hindranceOf({ switches, bestBid, bestAsk, unquoted }: PairRow): string | null {
  const bids = switches.bids && bestBid !== null ? (unquoted?.bids ?? null) : null;
  const asks = switches.asks && bestAsk !== null ? (unquoted?.asks ?? null) : null;
  if (bids === null || asks === null || bids === asks) return bids ?? asks;
  return `Bids: ${bids} Asks: ${asks}`;
}

function sideWhy(on: boolean, side: 'bid' | 'ask'): string {
  return on ? `There is no ${side} in the ladder.` : `The ${side}s are switched off.`;
}
