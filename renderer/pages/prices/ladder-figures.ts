import type { Draft } from '../../../electron/contract/book.ts';
import { tablePlaces } from '../../components/figures/amounts.ts';
import {
  type Decimal,
  groupedText,
  plainText,
  ratio,
  readDecimal,
  sum,
  withPlaces,
} from '../../components/figures/decimal-text.ts';
import { pricePlaces } from '../../components/figures/prices.ts';
import type { LadderValues } from './ladder-values.ts';

/** Amounts added up from the best level on; from the first wrong amount on there is no sum. */
export function totalsOf(levels: LadderValues['bids']): (Decimal | null)[] {
  let total: Decimal | null = { digits: 0n, places: 0 };
  return levels.map(([, amount]) => {
    const read = readDecimal(amount);
    total = total === null || read === null ? null : sum(total, read);
    return total;
  });
}

/** Halfway between best bid and best ask, as text; null without both. */
export function midOf(values: LadderValues): string | null {
  const [bid, ask] = [readDecimal(values.bids[0]?.[0] ?? ''), readDecimal(values.asks[0]?.[0] ?? '')];
  if (bid === null || ask === null) return null;
  const both = sum(bid, ask);
  return plainText({ digits: both.digits * 5n, places: both.places + 1 });
}

/** Spread in basis points of the mid, with one decimal; null without both sides or where they cross. */
export function spreadOf(values: LadderValues): string | null {
  const [bid, ask] = [readDecimal(values.bids[0]?.[0] ?? ''), readDecimal(values.asks[0]?.[0] ?? '')];
  if (bid === null || ask === null) return null;
  const wide = sum(ask, { digits: -bid.digits, places: bid.places });
  if (wide.digits <= 0n) return null;
  const bps = ratio({ digits: wide.digits * 20_000n, places: wide.places }, sum(ask, bid), 1, 'down');
  return bps === null ? null : groupedText(bps);
}

/** How many decimals a column of a ladder has: prices and amounts of both sides alike. */
export function columnPlaces(values: LadderValues): { price: number; amount: number } {
  const levels = [...values.bids, ...values.asks];
  return {
    price: pricePlaces(levels.map(([price]) => price)),
    amount: pricePlaces(levels.map(([, amount]) => amount)),
  };
}

/**
 * How many decimals of an amount are read: as many as a table shows of the token. What a formula makes is cut only at the token's last
 * digit, and a column of those has no room for what matters of them.
 */
export function readPlaces(values: LadderValues, base: string): { price: number; amount: number } {
  const { price, amount } = columnPlaces(values);
  return { price, amount: Math.min(amount, tablePlaces({ symbol: base, decimals: 18 })) };
}

/** A text of a cell as it is read: grouped and with the column's decimals if it is a number, else as typed. */
export function cellText(text: string, places: number): string {
  const read = readDecimal(text);
  return read === null ? text : groupedText(withPlaces(read, Math.max(places, read.places), 'down'));
}

/** The same of an amount, cut to the column's decimals, but never to nothing. */
export function cutText(text: string, places: number): string {
  const read = readDecimal(text);
  if (read === null) return text;
  const cut = withPlaces(read, places, 'down');
  return groupedText(cut.digits === 0n ? withPlaces(read, Math.max(places, read.places), 'down') : cut);
}

/** How many cells differ from what is live; a level that is gone counts as its two cells. */
export function changedCells(draft: LadderValues, live: LadderValues): number {
  let changed = 0;
  for (const side of ['bids', 'asks'] as const) {
    const levels = Math.max(draft[side].length, live[side].length);
    for (let level = 0; level < levels; level++) {
      for (const part of [0, 1] as const) if (draft[side][level]?.[part] !== live[side][level]?.[part]) changed += 1;
    }
  }
  return changed;
}

export interface NamedFault {
  row: number;
  column: number;
  name: string;
  message: string;
}

/** What is wrong with the ladder as a whole; the desk names faults of single cells there as well, which their cells tell. */
export function ladderFaults(draft: Draft): string[] {
  return draft.faults.filter((fault) => !/^(bids|asks)\[[0-9]+\]/.test(fault));
}

/** Every fault of a cell, with the cell's name as a trader says it. */
export function cellFaults(draft: Draft): NamedFault[] {
  const faults: NamedFault[] = [];
  for (const side of ['bids', 'asks'] as const) {
    draft[side].forEach((level, row) => {
      for (const field of ['price', 'amount'] as const) {
        const { fault } = level[field];
        if (fault === null) continue;
        const column = side === 'bids' ? (field === 'amount' ? 0 : 1) : field === 'price' ? 2 : 3;
        const name = `${side === 'bids' ? 'Bid' : 'Ask'} ${row + 1}, ${field === 'price' ? 'price' : 'size'}`;
        faults.push({ row, column, name, message: fault });
      }
    });
  }
  return faults;
}

/** Token units as a table shows them, without needless zeros behind a whole number: `5,000`, `1.4649`. */
export function shortUnits(units: string, symbol: string): string {
  const read = readDecimal(units);
  if (read === null) return units;
  const places = tablePlaces({ symbol, decimals: 18 });
  const text = groupedText(withPlaces(read, places, 'down'));
  if (/\.0+$/.test(text)) return text.replace(/\.0+$/, '');
  return places > 2 ? text.replace(/0+$/, '') : text;
}

/** Large sums in a sentence: `896 k`, `1.2 M`; small ones as in tables. */
export function roundUnits(units: string, symbol: string): string {
  const read = readDecimal(units);
  if (read === null) return units;
  const whole = withPlaces(read, 0, 'down').digits;
  const size = whole < 0n ? -whole : whole;
  if (size >= 1_000_000n) return `${groupedText({ digits: whole / 10_000n, places: 2 })} M`;
  if (size >= 10_000n) return `${groupedText({ digits: whole / 1_000n, places: 0 })} k`;
  return size >= 100n ? groupedText({ digits: whole, places: 0 }) : shortUnits(units, symbol);
}
