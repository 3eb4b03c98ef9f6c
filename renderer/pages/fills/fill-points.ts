import type { FillRow } from '../../../electron/contract/quote-log.ts';
import type { TokenFigure } from '../../components/figures/amounts.ts';
import { fromRaw, ratio, toPixels } from '../../components/figures/decimal-text.ts';
import { baseAndQuote } from '../../state/quote-figures.ts';
import type { FillRange } from './fill-ranges.ts';

/** A fill as a mark: where it stands and how large it is. Floats: pixels only. */
export interface FillPoint {
  seq: number;
  time: number;
  price: number;
  /** Share of the largest fill in sight, 0 to 1. */
  size: number;
}

export interface FillPoints {
  bought: FillPoint[];
  sold: FillPoint[];
}

/** Fills whose tokens are known, as marks; reverted ones did not happen. */
export function fillPoints(
  fills: readonly FillRow[],
  find: (chainId: number, address: string) => TokenFigure | undefined,
): FillPoints {
  const marks: (FillPoint & { buy: boolean })[] = [];
  for (const fill of fills) {
    if (fill.reverted) continue;
    const { base, quote } = baseAndQuote(fill, (address) => find(fill.chainId, address));
    if (base.raw === null || quote.raw === null || !base.token || !quote.token) continue;
    const amount = fromRaw(base.raw, base.token.decimals);
    const price = ratio(fromRaw(quote.raw, quote.token.decimals), amount, 12, 'down');
    if (price === null) continue;
    marks.push({
      seq: fill.seq,
      time: fill.time,
      price: toPixels(price),
      size: toPixels(amount),
      buy: fill.side === 'bids',
    });
  }
  const largest = Math.max(...marks.map(({ size }) => size), 0) || 1;
  const sized = marks.map((mark) => ({ ...mark, size: mark.size / largest }));
  return { bought: sized.filter(({ buy }) => buy), sold: sized.filter(({ buy }) => !buy) };
}

/** A bar of the chart below: how many fills of each kind fell into it. */
export interface FillBar {
  bucket: number;
  bought: number;
  sold: number;
}

/** Every bar of the range, empty ones too, so that silence is seen. */
export function fillBars(fills: readonly FillRow[], from: number, to: number, range: FillRange): FillBar[] {
  const bars: FillBar[] = [];
  for (let bucket = from; bucket <= to; bucket += range.bucketMs) bars.push({ bucket, bought: 0, sold: 0 });
  for (const fill of fills) {
    const bar = bars[Math.floor((fill.time - from) / range.bucketMs)];
    if (bar === undefined || fill.reverted) continue;
    if (fill.side === 'bids') bar.bought += 1;
    else bar.sold -= 1;
  }
  return bars;
}
